"""How a signal ends the program: Ctrl-C and SIGTERM stop the work, and cleaning up takes a moment."""

import signal
import sys
from types import FrameType
from typing import Any, NoReturn


class Stopped(BaseException):
    """A signal asked the program to end. Not KeyboardInterrupt, which typer would turn into an exit code of its own."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def listen() -> None:
    """Let both signals stop the work from now on."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _on_signal)
    sys.unraisablehook = _on_unraisable


def _on_signal(number: int, frame: FrameType | None) -> NoReturn:
    """The first Ctrl-C or SIGTERM stops the work; cleaning up takes a moment and is not disturbed by a second one."""
    for every in (signal.SIGINT, signal.SIGTERM):
        signal.signal(every, signal.SIG_IGN)
    raise Stopped(number)


def _on_unraisable(unraisable: Any) -> None:
    """Where Python swallows what `_on_signal` raised (in a finalizer, say), raise it again a moment later."""
    stop = unraisable.exc_value
    if not isinstance(stop, Stopped) or not hasattr(signal, "setitimer"):
        sys.__unraisablehook__(unraisable)
        return
    signal.signal(signal.SIGALRM, lambda *_: _on_signal(stop.number, None))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
