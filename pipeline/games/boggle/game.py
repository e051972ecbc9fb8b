"""Letter-dice boards as a game: what its runs ask for, store and say of themselves."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.games.boggle.columns import LAYOUT, LENGTH_COLUMNS, METRICS, SCHEMA
from pipeline.games.boggle.dice import DiceSet, dice_from_dict, load_dice
from pipeline.games.boggle.languages import find_language, from_rules
from pipeline.games.boggle.run_file import BoardRun
from pipeline.games.boggle.words import find_words, load_words, say_mismatch
from pipeline.games.boggle.workload import BoggleWorkload, Rules
from pipeline.games.game import Description, Game
from pipeline.stats.controls import Known
from pipeline.store.kinds import ROWS, Mode
from pipeline.store.reading import read_lexicon
from pipeline.store.run_file import SEMANTICS, RunFile
from pipeline.store.run_store import LEXICON, RunStore
from solvers.boggle.words import WordList
from solvers.languages import Language

if TYPE_CHECKING:
    from pipeline.config import RunConfig


class Boggle(Game):
    """Boards of letter dice under a word list."""

    layout = LAYOUT
    schema = SCHEMA
    metrics = METRICS
    columns = LENGTH_COLUMNS
    options = ("dice", "words", "language", "column", "min_length", "scoring")
    counts_words = True
    keeps_sums = True
    ranked_by = "score"
    run_file = BoardRun
    report = "pipeline.report.boggle.sections"

    def workload(self, config: "RunConfig", mode: Mode = ROWS) -> BoggleWorkload:
        """Return the boards of the config's dice sets under its word list."""
        dice = tuple(load_dice(reference) for reference in config.dice)
        source = find_words(config.words, config.language, config.column, dice[0].rules)
        say_mismatch(source, dice)
        return BoggleWorkload(
            dice=dice,
            words=load_words(source),
            words_id=source.id,
            seed=config.seed,
            rules=Rules(config.min_length, config.scoring),
            solver=config.solver,
            counts_words=mode.words,
        )

    def workload_of(self, store: RunStore, solver: str = "numba") -> BoggleWorkload:
        """Return what solves and shakes as a stored run did.

        Raises PipelineError where its words are not those of its identity, or it follows rules of another version.
        """
        run = board_run(store)
        made = run.made_from
        if made.semantics != SEMANTICS:
            raise PipelineError(
                f"run {store.location} follows rules of version {made.semantics}, this program those of version "
                f"{SEMANTICS}: its boards cannot be made again",
                "make the run again; its rows can still be reported with --no-html",
            )
        table = read_lexicon(store)
        words = table.column("word").to_pylist()
        spelling = dict(zip(words, table.column("spelling").to_pylist(), strict=True))
        changed = {word: entry for word, entry in spelling.items() if entry != word}
        whole = WordList(words, _language(run, run.settings.language), changed)
        if any(entry.words != whole.sha256 for entry in made.sets):
            raise PipelineError(
                f"{store.files.url(LEXICON)} does not hold the word list that run {store.location} was solved with",
                "start the same `pipeline run` with another --out",
            )
        return BoggleWorkload(
            dice=tuple(_stored_set(run, variant, store.location) for variant in run.variants),
            words=whole,
            words_id=run.settings.words,
            seed=made.seed,
            rules=Rules(),
            solver=solver,
            counts_words=store.mode.words,
        )

    def describe(self, run: RunFile) -> Description:
        """Return the word list and rules, and what is printed on the box of each set."""
        assert isinstance(run, BoardRun)
        settings = run.settings
        hashes = ", ".join(dict.fromkeys(one.words for one in run.sets.values()))
        facts = {"word list": f"{settings.words}, {settings.word_count:,} words, SHA-256 {hashes}"}
        for variant, one in settings.dice.items():
            facts[f"rules of {variant}"] = f"words of {one.min_length}+ letters, scoring {one.scoring}"
        names = {variant: ", ".join(filter(None, (one.name, one.years))) for variant, one in settings.dice.items()}
        return Description(settings.words, facts, names)

    def notes(self, run: RunFile) -> list[str]:
        """Return the entries of the list that were skipped, and dice of another language than the words."""
        assert isinstance(run, BoardRun)
        settings = run.settings
        found = []
        if settings.skipped:
            reasons = ", ".join(f"{one.entries:,} with {one.reason} ({one.example})" for one in settings.skipped)
            skipped = sum(one.entries for one in settings.skipped)
            entries = "1 entry of word list" if skipped == 1 else f"{skipped:,} entries of word list"
            found.append(f"{entries} {settings.words} {'was' if skipped == 1 else 'were'} skipped: {reasons}.")
        others = {name: one.language for name, one in settings.dice.items() if one.language != settings.language}
        if others:
            sets = ", ".join(f"{name} ({language})" for name, language in others.items())
            found.append(f"Word list {settings.words} is of language {settings.language}, these dice are not: {sets}.")
        return found

    def rolls(self, run: RunFile, variant: str) -> str:
        """Return seed and grid: dice of any set lie in the same order and show faces of the same numbers."""
        assert isinstance(run, BoardRun)
        entry = run.sets[variant]
        return f"seed {run.made_from.seed}, {entry.rows} x {entry.columns}"

    def known(self, workload: Any, variant: str) -> Known | None:
        """Return the exact means of nodes, ways and pairs of ways."""
        assert isinstance(workload, BoggleWorkload)
        return workload.known(variant)

    def contradiction(self, rows: pa.Table) -> str:
        """Return the first row whose words by length are not all its words, as a clause."""
        words = rows.column("words").to_numpy()
        by_length = sum(rows.column(name).to_numpy().astype(np.int64) for name in LENGTH_COLUMNS)
        wrong = np.flatnonzero(by_length != words)
        if not len(wrong):
            return ""
        first = int(wrong[0])
        board = rows.column(LAYOUT.id_column)[first].as_py()
        return f"has {words[first]} words on board {board}, by length they are {by_length[first]}"

    def rules(self, run: RunFile, variant: str) -> dict[str, str]:
        """Return the word list, minimum length and scoring."""
        assert isinstance(run, BoardRun)
        entry = run.sets[variant]
        return {
            "word list": f"{run.settings.words} ({entry.words[:8]})",
            "minimum length": str(entry.min_length),
            "scoring": entry.scoring,
        }


GAME = Boggle()


def board_run(store: RunStore) -> BoardRun:
    """Return the run.json of a run of boards.

    Raises PipelineError for a run of another game.
    """
    if not isinstance(store.run, BoardRun):
        raise PipelineError(f"run {store.location} has no boards of letter dice", "give a run of --game boggle")
    return store.run


def _stored_set(run: BoardRun, variant: str, location: str) -> DiceSet:
    """A dice set of a run, from its identity, with the rules it was solved by."""
    entry, settings = run.sets[variant], run.settings.dice[variant]
    fields: dict[str, Any] = {
        "name": settings.name,
        "rows": entry.rows,
        "columns": entry.columns,
        "dice": [" ".join(face or "." for face in die) for die in entry.dice],
        "min_length": entry.min_length,
        "scoring": entry.scoring,
    }
    return dice_from_dict(fields, variant, f"{variant} of run {location}", _language(run, settings.language))


def _language(run: BoardRun, language_id: str) -> Language:
    """A language as the run knew it; runs of earlier versions only name it."""
    stored = run.settings.languages.get(language_id)
    return find_language(language_id) if stored is None else from_rules(stored, language_id)
