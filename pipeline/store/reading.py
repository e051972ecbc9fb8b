"""The one reader of a part and of the word list: what is not to the bit what was written is refused by its name."""

from collections.abc import Sequence

import pyarrow as pa

from pipeline.errors import PipelineError
from pipeline.store.parts import UNREADABLE, Part, UnsoundError, open_sound
from pipeline.store.run_store import LEXICON, RunStore

REPAIR = "the same `pipeline run` computes it again; `pipeline verify` lists all broken parts"


def parts_of(store: RunStore, variant: str) -> list[Part]:
    """Return the parts of a variant; raises PipelineError where there are none yet."""
    parts = store.parts(variant)
    if not parts:
        raise PipelineError(f"run {store.location} has no parts of {variant} yet", "start it again with `pipeline run`")
    return parts


def read_part(
    store: RunStore, variant: str, part: Part, schema: pa.Schema, kind: str | None = None, columns: Sequence[str] = ()
) -> pa.Table:
    """Return the columns (none named: all) of one part of a kind (default: the main one).

    Raises PipelineError for a part that is gone, that is not what was written (checksum), that holds something else
    than its name says (label), or that has another schema or missing values.
    """
    path = store.path(variant, part, kind)
    place = store.files.url(path)
    if not store.files.exists(path):
        raise PipelineError(f"part {place} is missing", REPAIR)
    data = store.files.read(path)
    try:
        file = open_sound(data, store.label(variant, part, kind), schema)
    except UnsoundError as error:
        raise PipelineError(f"part {place} {error}", REPAIR) from error
    try:
        table = file.read(columns=list(columns) or None, use_threads=False)
        # The checksum proves the bytes; this proves that they are a table.
        table.validate(full=True)
    except UNREADABLE as error:
        raise PipelineError(f"part {place} is broken: {str(error).splitlines()[0]}", REPAIR) from error
    if any(column.null_count for column in table.columns):
        raise PipelineError(f"part {place} has missing values", REPAIR)
    # Without checksum and label, which are those of the file.
    return table.replace_schema_metadata(schema.metadata)


def read_rows(store: RunStore, variant: str, part: Part, schema: pa.Schema, columns: Sequence[str] = ()) -> pa.Table:
    """Return the columns of a part that holds one row an item.

    Raises PipelineError as `read_part` does, and for a part that has not the rows of its name.
    """
    table = read_part(store, variant, part, schema, columns=columns)
    if table.num_rows != part.rows:
        place = store.files.url(store.path(variant, part))
        raise PipelineError(f"part {place} has {table.num_rows:,} rows, its name says {part.rows:,}", REPAIR)
    return table


def read_lexicon(store: RunStore) -> pa.Table:
    """Return the columns word_id, word, spelling, length, points (points_<dice> where the sets score differently).

    Raises PipelineError for a run without words, and for a table that is broken.
    """
    place = store.files.url(LEXICON)
    if not store.files.exists(LEXICON):
        raise PipelineError(
            f"run {store.location} has no word list: {place} is missing", "start the same `pipeline run` again"
        )
    data = store.files.read(LEXICON)
    remedy = "start the same `pipeline run` again"
    try:
        file = open_sound(data, store.lexicon_label)
    except UnsoundError as error:
        raise PipelineError(f"{place} {error}", remedy) from error
    try:
        table = file.read()
        table.validate(full=True)
        ids = table.column("word_id").to_numpy()
    except (*UNREADABLE, KeyError) as error:
        raise PipelineError(f"{place} is broken: {str(error).splitlines()[0]}", remedy) from error
    wanted = {"word": pa.string(), "spelling": pa.string()}
    if any(name not in table.column_names or table.schema.field(name).type != kind for name, kind in wanted.items()):
        raise PipelineError(f"{place} has other columns than this version writes", remedy)
    if len(ids) and (int(ids[0]) != 0 or int(ids[-1]) != len(ids) - 1):
        raise PipelineError(f"{place} is broken: its word ids have gaps", remedy)
    return table
