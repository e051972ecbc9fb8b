"""A run's report as the server gives it: under a policy that allows no script, and with a way back to the run."""

import re

NO_SCRIPT = {
    "Content-Security-Policy": "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
"""Reports hold no script; whatever lies in the folder in place of one runs none and reaches nothing."""
_BODY = re.compile(rb'<body[^<>]*>(?:\s*<a class="skip"[^<>]*>[^<>]*</a>)?')
"""Where a page's own text begins: behind the link that skips what is before it, which stays the first."""


def with_bar(report: bytes, bar: str) -> bytes:
    """Return the report with a piece of HTML where its text begins; as it is where it has none."""
    return _BODY.sub(lambda found: found[0] + b"\n" + bar.encode(), report, count=1)
