"""Sixteen clients for twenty seconds: no error, and memory that stays level. Speed is printed, not asserted."""

from pathlib import Path

import pytest

from tests.proofs.load import measure, resident_kib, wait_for_kenken
from tests.web.serving import running_server


@pytest.mark.long
def test_sixteen_clients_are_served_without_an_error(tmp_path: Path) -> None:
    with running_server(tmp_path) as (port, pid):
        wait_for_kenken(port)
        measure(port, "/api/v1/solve", 5)
        before = resident_kib(pid)
        empty, solve = measure(port, "/api/v1/ping", 5), measure(port, "/api/v1/solve", 20)
        print(f"{empty.rate:.0f} empty/s, {solve.rate:.0f} solved/s, p99 {1e3 * solve.quantile(0.99):.0f} ms")
        assert empty.errors == solve.errors == 0
        assert len(solve.latencies) > 100
        assert resident_kib(pid) < before + 50 * 1024
