"""Lines of standard input as they come: what is there is handed on at once, and a signal is heard while none comes."""

import codecs
import io
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial

from pipeline.stopping import safe_point

PIECE = 1 << 16
"""Bytes read at most in one go."""
AHEAD = 16
"""Pieces that wait at most, so that a file is not held whole."""
POLL = 0.1
"""Seconds between two looks at whether a signal has come."""


def batches_of_lines() -> Iterator[list[str]]:
    """Yield the lines that have come since the last batch, without their ends; a batch is never empty.

    Bytes that are no text of the stream's encoding stand in their line as lone surrogates. A thread reads: it is left
    behind where the caller has enough, as nothing can end it before the next line.
    """
    pieces: queue.Queue[bytes | OSError] = queue.Queue(AHEAD)
    threading.Thread(target=_read, args=(_source(), pieces), name="read-input", daemon=True).start()
    decoder = io.IncrementalNewlineDecoder(
        codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")("surrogateescape"), translate=True
    )
    rest, ended = "", False
    while not ended:
        piece = _next(pieces)
        if isinstance(piece, OSError):
            raise piece
        ended = not piece
        *lines, rest = (rest + decoder.decode(piece, ended)).split("\n")
        if ended and rest:
            lines.append(rest)
        if lines:
            yield lines


def _source() -> Callable[[int], bytes]:
    """Not through the stream's own buffer, where it has a file: Python could not end while a thread waits within it."""
    try:
        file = sys.stdin.fileno()
    except io.UnsupportedOperation:
        return sys.stdin.buffer.read
    return partial(os.read, file)


def _read(source: Callable[[int], bytes], pieces: "queue.Queue[bytes | OSError]") -> None:
    """Hand on piece after piece; an empty one is the end."""
    piece = b"more"
    while piece:
        try:
            piece = source(PIECE)
        except OSError as error:
            pieces.put(error)
            return
        pieces.put(piece)


def _next(pieces: "queue.Queue[bytes | OSError]") -> bytes | OSError:
    while True:
        safe_point()
        try:
            return pieces.get(timeout=POLL)
        except queue.Empty:
            continue
