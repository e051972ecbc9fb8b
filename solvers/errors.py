"""The one exception that solvers raise for input a person can mend."""


class InputError(ValueError):
    """Bad input: `message` names the value and the place, `hint` the remedy (may be empty)."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return (type(self), (self.message, self.hint))

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message
