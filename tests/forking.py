"""Processes of the command line without the seconds that a start takes: forked from one that has imported everything.

A command is a process of its own all the same: its own folder, environment, standard streams, signals and exit code,
and it ends as every Python program does. Only imports and compiled code are there already.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

LARGEST = 200_000
"""Bytes of a request: arguments, folder and environment."""


class Forked:
    """A command under way, with the ways of `subprocess.Popen`."""

    def __init__(
        self, arguments: Sequence[object], cwd: Path, env: Mapping[str, str] | None = None, stdin: str | None = None
    ) -> None:
        self.returncode: int | None = None
        self._out, self._err = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")  # noqa: SIM115
        told, tells = os.pipe()
        self._told = os.fdopen(told)
        given = tempfile.TemporaryFile("w+")  # noqa: SIM115
        given.write(stdin or "")
        given.seek(0)
        request = {"arguments": [str(one) for one in arguments], "cwd": str(cwd), "env": {**os.environ, **(env or {})}}
        streams = [given.fileno(), self._out.fileno(), self._err.fileno(), tells]
        socket.send_fds(_parent(), [json.dumps(request).encode()], streams)
        given.close()
        os.close(tells)
        self.pid = int(self._told.readline())

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("pipeline", timeout or 0)
            self.returncode = int(self._told.readline())
            self._told.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Output and errors, once it has ended."""
        self.wait(timeout)
        texts = []
        for stream in (self._out, self._err):
            stream.seek(0)
            texts.append(stream.read())
            stream.close()
        return texts[0], texts[1]

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@cache
def _parent() -> socket.socket:
    """The process that forks, started at the first command; it ends with this one."""
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        # By path and without its folder: the package that is installed is imported, as by the command itself.
        process = subprocess.Popen(
            [sys.executable, "-P", __file__, str(its.fileno())], stdin=subprocess.DEVNULL, pass_fds=[its.fileno()]
        )
    atexit.register(process.wait)
    atexit.register(mine.close)
    return mine


def _fork_on_request(link: socket.socket) -> bool:
    """True in the process of a command, which is set up; False once nobody will ask any more."""
    while True:
        message, streams, _, _ = socket.recv_fds(link, LARGEST, 4)
        if not message:
            return False
        if os.fork() == 0:
            link.close()
            if _fork_and_tell(streams.pop()):
                _become(json.loads(message), streams)
                return True
        for stream in streams:
            os.close(stream)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass


def _fork_and_tell(status: int) -> bool:
    """True in the command's process; its parent, which never returns, tells process id and exit code."""
    pid = os.fork()
    if pid == 0:
        os.close(status)
        return True
    try:
        os.write(status, b"%d\n" % pid)
        os.write(status, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    finally:
        os._exit(0)


def _become(request: dict, streams: list[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = ["pipeline", *request["arguments"]]


def _import_everything() -> None:
    """What commands import and compile; nothing here may use a thread, which a fork would lose."""
    import pipeline
    from tests import compiling

    for module in pkgutil.walk_packages(pipeline.__path__, "pipeline."):
        if not module.name.startswith(("pipeline.__main__", "pipeline.web", "pipeline.executors.dask")):
            importlib.import_module(module.name)
    for compile_kernels in compiling.GAMES.values():
        compile_kernels()
    # What is here is never collected: that would take each command a second at its end.
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[1]))
    _import_everything()
    if _fork_on_request(socket.socket(fileno=int(sys.argv[1]))):
        from pipeline.__main__ import main

        main()
