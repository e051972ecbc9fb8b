"""Which language a page is shown in: the switch, else what was chosen before, else what the browser asks for."""

from starlette.requests import Request

from pipeline.web.texts import TEXTS

COOKIE = "language"


def chosen(request: Request) -> str:
    for wanted in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        if wanted in TEXTS:
            return wanted
    return preferred(request.headers.get("accept-language", ""))


def preferred(header: str) -> str:
    """Return the known language of highest weight in an Accept-Language header (RFC 9110, 12.5.4); English without
    one.
    """
    best, best_weight = "en", 0.0
    for entry in header[:400].split(","):
        tag, _, weight_text = entry.partition(";")
        language = tag.strip().lower().partition("-")[0]
        try:
            weight = float(weight_text.strip().removeprefix("q=")) if weight_text.strip() else 1.0
        except ValueError:
            continue
        if language in TEXTS and weight > best_weight:
            best, best_weight = language, weight
    return best
