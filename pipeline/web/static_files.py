"""Style and scripts."""

from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles as Plain

FOLDER = Path(__file__).parent / "static"


class StaticFiles(Plain):
    """Browsers ask each time whether a file is still the same, so that a new version is seen at once."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response
