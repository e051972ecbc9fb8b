"""A bound on the requests of one client: a bucket that fills at a steady rate, and each request takes one from."""

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import ip_address

MAX_CLIENTS = 10_000
"""Clients remembered; the one that was seen longest ago is forgotten first."""


class Rate:
    """`rate` requests a second in the long run, `burst` at once. This machine itself is not limited."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Take one request of the client's; seconds to wait where it has none left, else 0."""
        if _is_here(client):
            return 0.0
        now = self._now()
        left, seen = self._buckets.get(client, (float(self._burst), now))
        left = min(self._burst, left + self._rate * (now - seen))
        taken = left >= 1
        self._buckets[client] = (left - taken, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if taken else (1 - left) / self._rate


def _is_here(client: str) -> bool:
    try:
        return ip_address(client).is_loopback
    except ValueError:
        return False
