"""Numbers, sizes and times as the page's language writes them."""

from datetime import UTC, datetime

_UNITS = ("B", "kB", "MB", "GB", "TB")
_MONTHS = {
    "en": ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    "nl": ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
}
_SWAPPED = str.maketrans(",.", ".,")


def number(value: float, language: str, digits: int = 0) -> str:
    """With separators of thousands and `digits` after the point or comma."""
    return localized(f"{value:,.{digits}f}", language)


def localized(text: str, language: str) -> str:
    """Return a numeral written with a decimal point as the language writes it."""
    return text.translate(_SWAPPED) if language == "nl" else text


def size(count: int, language: str) -> str:
    """Bytes in the unit that leaves one to three digits before the point."""
    shown, unit = float(count), 0
    while shown >= 999.5 and unit < len(_UNITS) - 1:
        shown, unit = shown / 1000, unit + 1
    return f"{number(shown, language, 1 if unit and shown < 99.5 else 0)} {_UNITS[unit]}"


def moment(text: str, language: str) -> str:
    """A time such as 2026-01-31T08:05:00Z, to the minute; a dash where there is none."""
    if not text:
        return "–"
    at = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    return f"{at.day} {_MONTHS[language][at.month - 1]} {at.year} {at:%H:%M} UTC"
