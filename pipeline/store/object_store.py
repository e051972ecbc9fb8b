"""A run in an object store, by pyarrow: `s3://bucket/prefix`, `gs://bucket/prefix`.

Endpoint and keys come from the environment or from `--storage-option`; they are never written anywhere.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any

import pyarrow as pa
from pyarrow import fs

from pipeline.errors import PipelineError, nearest

S3_OPTIONS = ("endpoint", "region", "access_key", "secret_key", "session_token", "anonymous", "allow_bucket_creation")
GS_OPTIONS = ("endpoint", "access_token", "anonymous", "project_id")
_options: dict[str, str] = {}


def set_options(pairs: list[str]) -> None:
    """Options of this process from `key=value` texts.

    Raises PipelineError for a text without `=`; the value is not shown.
    """
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator:
            raise PipelineError("a --storage-option has no =", "write --storage-option key=value")
        known = sorted({*S3_OPTIONS, *GS_OPTIONS})
        if key not in known:
            raise PipelineError(f"storage option {key!r} is not known", nearest(key, known))
        _options[key] = value


class ObjectFiles:
    """Files below a prefix of a bucket. The client is made in the process that uses it, after any fork."""

    def __init__(self, location: str) -> None:
        scheme, _, path = location.partition("://")
        self.scheme = scheme
        self.root = path.strip("/")
        self.options = dict(_options)
        self._client: fs.FileSystem | None = None
        self._owner = 0

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_client": None}

    @property
    def client(self) -> fs.FileSystem:
        if self._client is None or self._owner != os.getpid():
            self._client, self._owner = _connect(self.scheme, self.options), os.getpid()
        return self._client

    def _path(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root

    def make(self) -> None:
        bucket = self.root.split("/")[0]
        with _named("open", self.url("")):
            kind = self.client.get_file_info(bucket).type
            if kind == fs.FileType.NotFound:
                if self.options.get("allow_bucket_creation") != "true":
                    raise PipelineError(f"bucket {bucket!r} does not exist", "make it, or name another")
                self.client.create_dir(bucket)

    def write(self, path: str, data: bytes) -> None:
        with _named("write", self.url(path)), self.client.open_output_stream(self._path(path)) as stream:
            stream.write(data)

    def write_all(self, files: Iterable[tuple[str, bytes]], guard: Callable[[], None] | None = None) -> None:
        for path, data in reversed(list(files)):
            if guard:
                guard()
            self.write(path, data)

    def read(self, path: str) -> bytes:
        with _named("read", self.url(path)), self.client.open_input_stream(self._path(path)) as stream:
            return bytes(stream.read())

    def exists(self, path: str) -> bool:
        with _named("look for", self.url(path)):
            return bool(self.client.get_file_info(self._path(path)).type == fs.FileType.File)

    def sizes(self, folder: str) -> dict[str, int]:
        return {info.base_name: info.size for info in self._infos(folder) if info.type == fs.FileType.File}

    def _infos(self, folder: str) -> list[fs.FileInfo]:
        with _named("list", self.url(folder)):
            return list(self.client.get_file_info(fs.FileSelector(self._path(folder), allow_not_found=True)))

    def delete(self, path: str) -> None:
        with _named("delete", self.url(path)):
            if self.client.get_file_info(self._path(path)).type == fs.FileType.File:
                self.client.delete_file(self._path(path))

    def url(self, path: str) -> str:
        return f"{self.scheme}://{self._path(path)}"


class _named:  # noqa: N801
    """Turns a failure of the store into one line that names what was tried, on what."""

    def __init__(self, action: str, url: str) -> None:
        self.action, self.url = action, url

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError | pa.ArrowException):
            reason = " ".join(str(error).split())
            raise PipelineError(
                f"cannot {self.action} {self.url}: {reason[:300]}",
                "check the address, the credentials and that the store is up; what was committed is kept",
                exit_code=1,
            ) from error


def _connect(scheme: str, options: dict[str, str]) -> fs.FileSystem:
    if scheme == "gs":
        return _connect_gs(options)
    endpoint = options.get("endpoint") or os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    protocol, separator, host = (endpoint or "").partition("://")
    arguments: dict[str, Any] = {
        "access_key": options.get("access_key"),
        "secret_key": options.get("secret_key"),
        "session_token": options.get("session_token"),
        "region": options.get("region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"),
        "anonymous": options.get("anonymous") == "true",
        "allow_bucket_creation": options.get("allow_bucket_creation") == "true",
        # One put a file: nothing is sent before the whole part is there.
        "allow_delayed_open": True,
        "background_writes": False,
        "connect_timeout": 10,
        "request_timeout": 60,
    }
    if endpoint:
        arguments |= {
            "endpoint_override": host if separator else endpoint,
            "scheme": protocol if separator else "https",
        }
    return fs.S3FileSystem(**{key: value for key, value in arguments.items() if value is not None})


def _connect_gs(options: dict[str, str]) -> fs.FileSystem:
    protocol, separator, host = options.get("endpoint", "").partition("://")
    arguments: dict[str, Any] = {
        "access_token": options.get("access_token"),
        "project_id": options.get("project_id"),
        "anonymous": options.get("anonymous") == "true",
    }
    if separator:
        arguments |= {"endpoint_override": host, "scheme": protocol}
    return fs.GcsFileSystem(**{key: value for key, value in arguments.items() if value is not None})
