"""How a signal ends the program: Ctrl-C and SIGTERM are noted, and take effect at the next safe point.

What a signal handler raises can hit anything: an import, a compilation, a call of a compiled kernel, a commit. There it
is swallowed, leaves something half made, or ends the process with a segmentation fault. So the handler only notes the
signal, and `safe_point` raises `Stopped`: between chunks, between lines, while results are waited for.

A command that reaches no safe point in time is ended by a thread: it says the same lines and leaves with the same exit
code. The C part of Python's signal handling wakes the thread, so it comes even while a kernel keeps the main thread.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
AT_ONCE = 1.0
"""Seconds in which a safe point must be reached."""
UNBROKEN = 5.0
"""Seconds more for a commit that is under way."""
CLEANING = 10.0
"""Seconds for what is done on the way out, unless a second signal asks not to wait for it."""
_STEP = 0.02


class Stopped(BaseException):
    """A signal asked the program to end. Not KeyboardInterrupt, which typer would turn into an exit code of its own."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def line(self) -> str:
        """What is said last."""
        return "stopped by Ctrl-C" if self.number == signal.SIGINT else "stopped by SIGTERM"

    @property
    def exit_code(self) -> int:
        """As shells count: 130 or 143."""
        return 128 + self.number


class _State:
    """Of this process: which signal came first and when the last, and whether it has been raised."""

    def __init__(self) -> None:
        self.listening = False
        self.number = 0
        self.last = 0.0
        self.raised = False
        self.unbroken = 0
        """Depth of blocks that must not be left half done."""
        self.acts: list[Callable[[], str]] = []


_state = _State()


def listen() -> None:
    """Let both signals stop the work from now on; to be called once, by the main thread of the program."""
    _state.listening = True
    for number in SIGNALS:
        signal.signal(number, _note)
    heard, told = os.pipe()
    if os.name == "posix":
        os.set_blocking(told, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(heard,), name="watch-signals", daemon=True).start()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forget)


def _note(number: int, frame: FrameType | None) -> None:
    if _state.listening:
        _state.number = _state.number or number
        _state.last = time.monotonic()


def _forget() -> None:
    """A forked process is nobody's command: what its parent was told is not for it."""
    global _state
    _state = _State()
    signal.set_wakeup_fd(-1)


def safe_point() -> None:
    """Raise Stopped if a signal asked for it; costs nothing where none has come or outside the main thread."""
    if _state.number and not _state.raised and threading.current_thread() is threading.main_thread():
        _state.raised = True
        raise Stopped(_state.number)


@contextlib.contextmanager
def unbroken() -> Iterator[None]:
    """Finish the block whatever comes: a commit. Its end is a safe point."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _state.unbroken += 1
    try:
        yield
    finally:
        _state.unbroken -= 1
    if not _state.unbroken:
        safe_point()


@contextlib.contextmanager
def before_leaving(act: Callable[[], str]) -> Iterator[None]:
    """Where the program is ended within the block without a safe point, call `act` and say the line it returns, if any.

    It is called by another thread, after the workers have been ended. Of several the innermost comes first.
    """
    _state.acts.append(act)
    try:
        yield
    finally:
        _state.acts.remove(act)


def _watch(heard: int) -> None:
    """`heard`: the pipe to which Python writes the number of every signal that has a handler."""
    while True:
        for number in os.read(heard, 64):
            # Others may handle signals for a while, as a server does.
            if number in SIGNALS and signal.getsignal(number) is _note:
                _end_in_time(number)


def _end_in_time(number: int) -> None:
    began = time.monotonic()
    while True:
        time.sleep(_STEP)
        waited = time.monotonic() - began
        if not _state.raised:
            if waited > AT_ONCE + (UNBROKEN if _state.unbroken else 0):
                _leave(number)
        elif waited > CLEANING or _state.last - began > AT_ONCE:
            _leave(number)


def _leave(number: int) -> None:
    """End the process without the main thread, which may be anywhere, and may hold the lock of any stream."""
    stopped = Stopped(number)
    try:
        _end_children()
        lines = []
        for act in reversed(_state.acts):
            with contextlib.suppress(Exception):
                lines.append(act())
        # A spinner or a bar may have hidden the cursor and left its line.
        clear = "\r\x1b[K\x1b[?25h" if sys.stderr is not None and sys.stderr.isatty() else ""
        text = clear + "".join(f"{line}\n" for line in [*filter(None, lines), stopped.line])
        os.write(2, text.encode(getattr(sys.stderr, "encoding", None) or "utf-8", "replace"))
    finally:
        os._exit(stopped.exit_code)


def _end_children() -> None:
    """Workers of pools; elsewhere than on Linux they do not end with this process by themselves."""
    if (processes := sys.modules.get("multiprocessing")) is None:
        return
    children = processes.active_children()
    for child in children:
        child.kill()
    for child in children:
        child.join(AT_ONCE)
