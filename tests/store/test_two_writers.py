"""A few of the schedules of `python -m tests.proofs.two_writers`: their outcome holds however they fall in time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proofs import two_writers


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_two_processes_in_one_folder(tmp_path: Path, number: int) -> None:
    place = two_writers.Folders(tmp_path)
    place.boards = 12_000
    assert ": whole " in two_writers.schedule(place, number, seed=1)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[two_writers.Stores]:
    with two_writers.stores(tmp_path_factory.mktemp("stores")) as place:
        yield place


@pytest.mark.parametrize("number", [pytest.param(1, marks=pytest.mark.long), 3])
def test_two_dask_clients_in_one_object_store(stores: two_writers.Stores, number: int) -> None:
    assert ": whole " in two_writers.schedule(stores, number, seed=1)


def test_warm_workers_write_where_and_what_the_task_says(stores: two_writers.Stores, tmp_path: Path) -> None:
    """The same place begun anew with another --keep; then the same address at another endpoint, with other keys."""
    location = "s3://runs/warm"
    for keep in ("boards", "histograms"):
        settings = two_writers.Settings(1_000, 1, keep, 3_000)
        two_writers.Writer(settings, stores.start(settings, location), []).finish()
        two_writers.check_parts(two_writers.open_run(location), 3_000, 1)
        before = stores.files(location)
        if keep == "boards":
            stores.remove(location)
    with two_writers.stores(tmp_path, workers=0) as elsewhere:
        options = ("endpoint=" + elsewhere.endpoint, "access_key=another", "secret_key=another", "region=us-east-1")
        flags = [word for option in options for word in ("--storage-option", option)]
        two_writers.Writer(settings, stores.start(settings, location, *flags), []).finish()
        two_writers.check_parts(two_writers.open_run(location), 3_000, 1)
        assert set(elsewhere.files(location)) == set(before)
    assert stores.files(location) == before
