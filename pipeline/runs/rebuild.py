"""The workload of a stored run, made again from the run alone: configs may have changed since."""

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import PipelineError
from pipeline.games import game
from pipeline.games.boggle.dice import DiceSet, dice_from_dict
from pipeline.games.boggle.workload import BoggleWorkload, Rules
from pipeline.games.game import Workload
from pipeline.store.identity import SEMANTICS, difference
from pipeline.store.kinds import NONE_BUT_TOP, schemas
from pipeline.store.parts import UNREADABLE, WORDS, WORDS_SCHEMA
from pipeline.store.run_store import RunStore
from solvers.boggle.words import WordList, fold
from solvers.errors import InputError

if TYPE_CHECKING:
    from pipeline.games.kenken.workload import KenKenWorkload

LEXICON = f"{WORDS}/lexicon.parquet"


def read_lexicon(store: RunStore) -> pa.Table:
    """Columns word_id, word, spelling, length, points (points_<dice> where the sets score differently).

    Raises PipelineError for a run without words, and for a table that is broken.
    """
    if store.run["game"] != "boggle" or not store.files.exists(LEXICON):
        raise PipelineError(f"run {store.location} has no words", "make a run of boards with `pipeline run`")
    place = store.files.url(LEXICON)
    try:
        table = pq.read_table(pa.BufferReader(store.files.read(LEXICON)))
        table.validate(full=True)
        ids = table.column("word_id").to_numpy()
    except (*UNREADABLE, KeyError) as error:
        raise PipelineError(
            f"{place} is broken: {str(error).splitlines()[0]}", "remove it and start the same `pipeline run` again"
        ) from error
    wanted = {"word": pa.string(), "spelling": pa.string()}
    if any(name not in table.column_names or table.schema.field(name).type != kind for name, kind in wanted.items()):
        raise PipelineError(f"{place} has other columns than this version writes", "remove it and run again")
    if len(ids) and (int(ids[0]) != 0 or int(ids[-1]) != len(ids) - 1):
        raise PipelineError(f"{place} is broken: its word ids have gaps", "remove it and run again")
    return table


def part_schemas(store: RunStore) -> dict[str, pa.Schema]:
    """Columns of each kind of part that the run holds."""
    of_chunks = {store.rows_folder: game(store.run["game"]).schema}
    if store.files.exists(LEXICON):
        of_chunks[WORDS] = WORDS_SCHEMA
    return schemas(store.keep, store.rows_folder, of_chunks)


def dice_sets(store: RunStore) -> list[DiceSet]:
    """The dice sets of the run, from its identity, with the rules they were solved by."""
    found = []
    for variant, entry in zip(store.variants, store.identity[store.run["layout"]["variant_key"]], strict=True):
        fields: dict[str, Any] = {
            "name": store.run["settings"]["dice"][variant]["name"],
            "rows": entry["rows"],
            "columns": entry["columns"],
            "dice": [" ".join(face or "." for face in die) for die in entry["dice"]],
            "min_length": entry["minimum length"],
            "scoring": entry["scoring"],
        }
        found.append(dice_from_dict(fields, variant, f"{variant} of run {store.location}"))
    return found


def workload(store: RunStore, solver: str = "numba") -> Workload:
    """What makes any row of the run again.

    Raises PipelineError where the run does not hold what that needs.
    """
    return kenken(store, solver) if store.run["game"] == "kenken" else boggle(store, solver)


def kenken(store: RunStore, solver: str = "numba") -> "KenKenWorkload":
    """Generates and solves as the run did.

    Raises PipelineError where the run's specs are not usable, or another version made its puzzles.
    """
    from pipeline.games.kenken.workload import KenKenWorkload
    from solvers.kenken import spec_from_dict

    entries = zip(store.variants, store.identity[store.run["layout"]["variant_key"]], strict=True)
    try:
        specs = tuple(spec_from_dict(entry, variant) for variant, entry in entries)
    except InputError as error:
        raise PipelineError(f"run {store.location}: {error.message}", error.hint) from error
    made = KenKenWorkload(specs, store.identity["seed"], store.identity["node limit"], solver)
    if made.identity() != store.identity:
        raise PipelineError(
            f"run {store.location} comes from another version: {difference(store.identity, made.identity())}",
            "make the run again; its rows can still be reported",
        )
    return made


def boggle(store: RunStore, solver: str = "numba") -> BoggleWorkload:
    """Solves and shakes as the run did: any board of it can be made again.

    Raises PipelineError where the stored words are not those of the run's identity.
    """
    made_with = store.identity.get("semantics")
    if made_with != SEMANTICS:
        raise PipelineError(
            f"run {store.location} follows rules of version {made_with!r}, this program those of version {SEMANTICS}: "
            "its boards cannot be made again",
            "make the run again; its rows can still be reported with --no-html",
        )
    table = read_lexicon(store)
    words = table.column("word").to_pylist()
    spelling = dict(zip(words, table.column("spelling").to_pylist(), strict=True))
    dice = dice_sets(store)
    language = store.identity["word list language"]
    lists: dict[str, WordList] = {}
    chosen = []
    for one, entry in zip(dice, store.identity[store.run["layout"]["variant_key"]], strict=True):
        wanted = entry["word list"]
        if wanted not in lists:
            lists[wanted] = _word_list(words, spelling, language, one, wanted, store)
        chosen.append(lists[wanted])
    return BoggleWorkload(
        dice=tuple(dice),
        word_lists=tuple(chosen),
        words_id=store.run["settings"]["words"],
        seed=store.identity["seed"],
        rules=Rules(),
        solver=solver,
        counts_words=store.keep != NONE_BUT_TOP,
    )


def _word_list(
    words: list[str], spelling: dict[str, str], language: str, dice: DiceSet, sha256: str, store: RunStore
) -> WordList:
    """The list as folded for one set: all words of the run, or, where sets fold differently, those of this set."""
    changed = {word: entry for word, entry in spelling.items() if entry.lower() != word}
    whole = WordList(words, language, spelling=changed)
    if whole.sha256 == sha256:
        return whole
    kept = dice.alphabet.extra_letters
    own = WordList(sorted({fold(entry, language, kept) for entry in spelling.values()}), language)
    if own.sha256 != sha256 or not set(own.words) <= set(words):
        raise PipelineError(
            f"{store.files.url(LEXICON)} does not hold the word list that run {store.location} was solved with",
            "start the same `pipeline run` with another --out",
        )
    return own
