"""Connections that send nothing: how long each may, and how many of one client."""

import asyncio
from collections import defaultdict
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol


class BoundedConnection(H11Protocol):
    """An HTTP connection that is closed unless the head of a request arrives within `head_seconds`.

    A client may hold `per_client` connections. One more takes the place of that client's connection that has been
    silent longest; where all of them are being answered the new one is closed.
    """

    head_seconds: ClassVar[float]
    per_client: ClassVar[int]
    _silent: ClassVar["defaultdict[str, dict[BoundedConnection, None]]"]
    """Connections of each client that wait for the head of a request, longest first."""
    _held: ClassVar["defaultdict[str, int]"]
    _deadline: asyncio.TimerHandle | None = None
    _of = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._of = self.client[0] if self.client else ""
        self._held[self._of] += 1
        if self._held[self._of] > self.per_client:
            oldest = next(iter(self._silent[self._of]), self)
            oldest._give_up()
        if not transport.is_closing():
            self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._await_head()
        else:
            self._head_came()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        self._held[self._of] -= 1
        if not self._held[self._of]:
            del self._held[self._of]
            self._silent.pop(self._of, None)
        super().connection_lost(exc)

    def _await_head(self) -> None:
        """Start the clock, unless it runs: what trickles in does not wind it up again."""
        if self._deadline is None and not self.transport.is_closing():
            self._silent[self._of][self] = None
            self._deadline = self.loop.call_later(self.head_seconds, self._give_up)

    def _head_came(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self._silent[self._of].pop(self, None)

    def _give_up(self) -> None:
        self._silent[self._of].pop(self, None)
        self.transport.abort()


def bounded(head_seconds: float, per_client: int) -> type[BoundedConnection]:
    """Return a class of connections with these bounds, and counts of its own: one for each server."""
    own: dict[str, Any] = {
        "head_seconds": head_seconds, "per_client": per_client,
        "_silent": defaultdict(dict), "_held": defaultdict(int),
    }  # fmt: skip
    return type("Connection", (BoundedConnection,), own)
