"""What a person sees when something cannot be done: one line, with the remedy."""

from solvers.errors import InputError


class PipelineError(InputError):
    """Shown by the command line without traceback; `exit_code` is 2 unless said otherwise."""

    def __init__(self, message: str, hint: str = "", exit_code: int = 2) -> None:
        super().__init__(message, hint)
        self.exit_code = exit_code

    def __reduce__(self) -> tuple[type, tuple[str, str, int]]:  # type: ignore[override]
        return (type(self), (self.message, self.hint, self.exit_code))


def os_error(action: str, error: OSError) -> PipelineError:
    """An operating system error as one line: what was tried, on which path, why it failed."""
    path = f" {error.filename}" if error.filename else ""
    return PipelineError(f"cannot {action}{path}: {error.strerror or error}")
