"""The one exception that solvers raise for input a person can mend."""


class InputError(ValueError):
    """Bad input: `message` names the value and the place, `hint` the remedy (may be empty); both are one line."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = one_line(message)
        self.hint = one_line(hint)

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return (type(self), (self.message, self.hint))

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


def one_line(text: str) -> str:
    """Return the text with escapes for what is not printable: no value that it names can break the line or the
    terminal.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
