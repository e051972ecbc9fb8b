"""The guide as pages: its markdown made HTML, links between topics kept."""

import re
from functools import cache

from markdown_it import MarkdownIt

from pipeline import guide

_LINK = re.compile(r'href="([a-z-]+)\.md"')


@cache
def article(topic: str) -> str:
    """Return a topic as HTML; raw HTML in it is shown as text.

    Raises PipelineError for a topic that there is not.
    """
    made = MarkdownIt("commonmark", {"html": False}).enable("table").render(guide.text(topic))
    # Tables and blocks that are wider than a phone scroll by themselves, by keyboard too.
    made = made.replace("<pre>", '<pre tabindex="0">')
    made = made.replace("<table>", f'<div class="scroll" tabindex="0" role="region" aria-label="{topic}"><table>')
    return _LINK.sub(r'href="/guide/\1"', made.replace("</table>", "</table></div>"))
