"""The pages' texts in every language they are shown in: one module a page, each text a pair (English, Dutch).

`{name}` is filled in; scripts also choose between `{name:word|words}` by the number.
"""

from types import ModuleType

from pipeline.web.texts import common, docs, kenken, runs, solve

LANGUAGE_NAMES = {"en": "English", "nl": "Nederlands"}
_MODULES: tuple[ModuleType, ...] = (common, solve, kenken, runs, docs)


def _texts(position: int) -> dict[str, str]:
    texts: dict[str, str] = {}
    for module in _MODULES:
        for key, pair in {**module.PAGE, **module.SCRIPT}.items():
            assert key not in texts, f"text {key!r} is there twice"
            texts[key] = pair[position]
    return texts


TEXTS = {language: _texts(position) for position, language in enumerate(LANGUAGE_NAMES)}
SCRIPT_KEYS: dict[str, tuple[str, ...]] = {
    module.__name__.rpartition(".")[2]: (*common.SCRIPT, *(module.SCRIPT if module is not common else ()))
    for module in _MODULES
}
"""Texts that the scripts of a page need, by the name of its module."""
