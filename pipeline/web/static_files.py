"""Style and scripts, read into memory once: no request path becomes a file name."""

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from pipeline.web.problems import RefusalError

FOLDER = Path(__file__).parent / "static"
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class StaticFiles:
    def __init__(self) -> None:
        self._files = {
            path.name: (path.read_bytes(), _TYPES[path.suffix])
            for path in sorted(FOLDER.iterdir())
            if path.suffix in _TYPES
        }
        self._tags = {
            name: f'"{hashlib.sha256(content).hexdigest()[:16]}"' for name, (content, _) in self._files.items()
        }

    def respond(self, name: str, request: Request) -> Response:
        """Raises RefusalError 404 for a name that is not there."""
        if name not in self._files:
            raise RefusalError(404, "there is no such file")
        content, kind = self._files[name]
        headers = {"ETag": self._tags[name], "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == self._tags[name]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)
