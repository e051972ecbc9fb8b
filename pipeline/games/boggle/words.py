"""Word lists by id or path: a file as it comes becomes a WordList."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pipeline.errors import PipelineError
from pipeline.games.boggle.dice import DiceSet
from pipeline.games.boggle.languages import DEFAULT, find_language
from pipeline.games.boggle.list_files import Entries, read_entries, read_text
from pipeline.shipped import configs_root, find, looks_like_path, read_toml, shipped_ids
from solvers.boggle.words import WordList, make_words, read_words
from solvers.errors import InputError
from solvers.languages import Language

log = logging.getLogger("shakedown")


@dataclass(frozen=True)
class WordSource:
    """Where a list comes from. `rules`: how its words are folded; `column`: of a table, which one holds the words;
    `everyday`: the level up to which words of a list with levels are everyday ones, 0 for a list without; `count`: the
    number of words of a shipped list, which need not be read for that."""

    id: str
    path: Path
    rules: Language
    name: str = ""
    licence: str = ""
    credit: str = ""
    notes: str = ""
    column: str | None = None
    everyday: int = 0
    source: str = field(default="", repr=False)
    count: int | None = None

    @property
    def language(self) -> str:
        """The id of the language."""
        return self.rules.id


def find_words(
    reference: str, language: str | None = None, column: str | None = None, otherwise: str | Language = DEFAULT
) -> WordSource:
    """Return a shipped list by id, or a file by path. `language` overrides the list's own; `otherwise` is the language
    of a file, which has none of its own.

    Raises PipelineError.
    """
    chosen = find_language(language) if language is not None else None
    path = find(reference, "words", "word list")
    if looks_like_path(reference):
        fallback = otherwise if isinstance(otherwise, Language) else find_language(otherwise)
        stem = path.name.split(".")[0].lower()
        return WordSource(stem, path, chosen or fallback, name=path.name, column=column)
    if column is not None:
        raise PipelineError(f"--column has no meaning for the shipped list {reference}", "leave it out")
    fields = read_toml(path, "word list")
    source = WordSource(
        path.stem,
        configs_root() / "words" / fields["file"],
        chosen or find_language(fields["language"]),
        everyday=fields.get("everyday", 0),
        source=fields.get("source", ""),
        count=fields["count"],
        **{key: fields[key] for key in ("name", "licence", "credit", "notes")},
    )
    return replace(source, rules=chosen) if chosen else source


def load_words(source: WordSource) -> WordList:
    """Read, fold and sort; what is left out is logged with an example of each kind.

    Raises PipelineError for a file that is missing, unreadable, too large, binary, of a form that is not understood,
    or without a word.
    """
    text, _, _ = read_text(source.path)
    try:
        if source.column is None and _is_plain(text):
            words = read_words(text, source.rules)
        else:
            entries = read_entries(text, source.path, source.column)
            words = words_of(entries, source)
    except InputError as error:
        raise PipelineError(f"word list {source.path}: {error.message}", error.hint) from error
    if words.left_out:
        reasons = ", ".join(f"{one.entries:,} with {one.reason} ({one.examples[0]})" for one in words.left_out)
        level = logging.INFO if source.licence else logging.WARNING
        log.log(level, "word list %s: %s entries skipped: %s", source.id, f"{words.skipped:,}", reasons)
    return words


def say_mismatch(source: WordSource, dice: Sequence[DiceSet]) -> None:
    """Say where dice are not of the language that the words are folded as; they are shaken and solved all the same."""
    for one in dice:
        if one.rules != source.rules:
            log.warning(
                "dice set %s is of language %s, word list %s is read as %s (--language says otherwise)",
                one.id, one.rules.id, source.id, source.language,
            )  # fmt: skip


def words_of(entries: Entries, source: WordSource) -> WordList:
    """Return the entries under the rules of a source; raises InputError without a word."""
    return make_words(entries.texts, source.rules, entries.numbers, counts=source.everyday == 0)


def _is_plain(text: str) -> bool:
    """Letters and ends of lines only: most lists, whose form needs no guess."""
    return text.isascii() and text.replace("\n", "a").isalpha()


def shipped_words() -> list[WordSource]:
    return [find_words(list_id) for list_id in shipped_ids("words")]
