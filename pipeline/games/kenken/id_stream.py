"""Keen ids one a line, answered as they come: many are read, solved and drawn in one call each."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from typing import BinaryIO

from pipeline.games.kenken.puzzles import as_dict, facts, is_id
from solvers.errors import InputError
from solvers.kenken import Rules, answer, draw_texts, keen_ids, read_ids, solve_batch, write_puzzle

_BYTES = 1 << 16
"""Read at once at most: some hundreds of ids; what a slow writer sent is answered before more is waited for."""
_LONGEST_LINE = 1 << 20
_MARK = b"\xef\xbb\xbf"

Line = tuple[int, bytes]


class IdStream:
    """The lines of a stream that begins with a Keen id (`has_ids`); `ended` once no more come after those given."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._text = b""
        self.ended = False
        while b"\n" not in self._text.lstrip() and len(self._text) <= _LONGEST_LINE and not self.ended:
            self._read()
        first = self._text.removeprefix(_MARK).lstrip().split(b"\n", 1)[0]
        self.has_ids = is_id(first.decode("ascii", "replace"))

    def _read(self) -> None:
        read = getattr(self._stream, "read1", self._stream.read)
        more = bytes(read(_BYTES))
        self.ended = not more
        self._text += more

    def rest(self, most: int) -> bytes:
        """Return the whole text, as far as `most` bytes."""
        return self._text + self._stream.read(max(0, most - len(self._text)))

    def blocks(self) -> Iterator[list[Line]]:
        """Yield lines that hold something, with their numbers from 1, as they come; InputError for one without an
        end.
        """
        numbers = count(1)
        self._text = self._text.removeprefix(_MARK)
        while True:
            self._read()
            lines = self._text.split(b"\n")
            self._text = b"" if self.ended else lines.pop()
            if len(self._text) > _LONGEST_LINE:
                raise InputError(f"a line of more than {_LONGEST_LINE:,} bytes", "give one id a line")
            found = [(number, line) for line in lines if (number := next(numbers)) and line.strip()]
            if found:
                yield found
            if self.ended:
                return


def answers(
    block: list[Line],
    rules: Rules,
    limit: int,
    node_limit: int,
    format: str,
    as_json: bool,
    wrong: Callable[[int, InputError], None],
) -> list[str]:
    """Return the text of each id of a block that is one, in order; `wrong` is told the line and fault of each other."""
    read = read_ids([line for _, line in block], rules)
    for place, error in sorted(read.errors.items()):
        wrong(block[place][0], error)
    texts: dict[int, str] = {}
    for places, batch in read.groups:
        results = solve_batch(batch, limit, node_limit)
        ids = keen_ids(batch)
        drawn = draw_texts(batch, results.solution) if format == "grid" and not as_json else []
        for i, place in enumerate(places.tolist()):
            known = answer(results, i)
            if as_json:
                texts[place] = json.dumps(as_dict(batch.puzzle(i, trusted=True), known, limit, node_limit, ids[i]))
                continue
            shown = drawn[i] if drawn else write_puzzle(batch.puzzle(i, trusted=True), format)
            lines = facts(batch.size, batch.rules, ids[i], known, limit)
            texts[place] = "\n".join([shown.rstrip("\n"), *lines])
    return [texts[place] for place in sorted(texts)]
