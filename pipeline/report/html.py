"""Small pieces of a page: tables, figures, tiles. Everything that comes from outside is escaped here."""

from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources

from pipeline.report.figures import Figure, inline
from pipeline.tables import Table


def document(title: str, body: str) -> str:
    """Return a whole page that loads nothing: its policy forbids any request and any script."""
    style = (resources.files("pipeline") / "report" / "page.css").read_text("utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="icon" href="data:,">\n<style>\n{style}</style>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def table(one: Table) -> str:
    """Return a table that scrolls in itself where the page is narrow; its first column heads the rows."""
    title = f"<h3>{escape(one.title)}</h3>\n" if one.title else ""
    note = f'<p class="note">{escape(one.note)}</p>\n' if one.note else ""
    return title + grid(one.title or "table", one.header, one.rows, one.left) + note


def grid(label: str, header: Sequence[str], rows: Sequence[Sequence[str]], left: frozenset[str] = frozenset()) -> str:
    def css(name: str) -> str:
        return ' class="left"' if name in left or name == header[0] else ""

    head = "".join(
        f'<th scope="col"{css(name)}>{escape(name)}</th>' if name else f"<td{css(name)}></td>" for name in header
    )
    body = []
    for row in rows:
        first, *others = row
        cells = "".join(f"<td{css(name)}>{escape(cell)}</td>" for name, cell in zip(header[1:], others, strict=True))
        body.append(f'<tr><th scope="row" class="left">{escape(first)}</th>{cells}</tr>')
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{escape(label)}"><table><thead><tr>{head}</tr>'
        f"</thead><tbody>{''.join(body)}</tbody></table></div>\n"
    )


def folded(summary: str, content: str) -> str:
    """Return HTML that opens on request."""
    return f'<details class="more"><summary>{escape(summary)}</summary>\n{content}</details>\n'


def figure(one: Figure, svg: str) -> str:
    """Return the chart, its sentence for who cannot see it, and its figures behind a fold."""
    fold = ""
    if one.rows:
        fold = (
            f"<details><summary>The figures of “{escape(one.title)}”</summary>"
            f"{grid(one.title, one.header, one.rows)}</details>"
        )
    return (
        f'<figure id="{escape(one.name)}"><div role="img" aria-label="{escape(one.title)}. {escape(one.alt)}">'
        f"{inline(one.name, svg)}</div>{fold}</figure>\n"
    )


def tiles(faces: Sequence[str], columns: int, label: str) -> str:
    cells = "".join(f"<span>{escape(face or '·')}</span>" for face in faces)
    return (
        f'<div class="tiles" role="img" aria-label="{escape(label)}" '
        f'style="grid-template-columns: repeat({columns}, max-content)">{cells}</div>'
    )


def facts(pairs: Mapping[str, str]) -> str:
    """Return the pairs of a name and HTML that is escaped already."""
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in pairs.items())
    return f'<dl class="facts">{rows}</dl>\n'
