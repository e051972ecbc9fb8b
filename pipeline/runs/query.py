"""SQL over what a run holds: that of DuckDB, which here reads the tables of the run alone and writes nothing."""

import contextlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import duckdb
import pyarrow as pa

from pipeline.defaults import QUERY_MEMORY
from pipeline.errors import PipelineError, nearest
from pipeline.runs.reading import Reader
from pipeline.runs.sql_tables import Fault, Later, Source, words
from pipeline.stopping import before_leaving, safe_point
from pipeline.store.parts import WORDS

BATCH = 50_000
"""Rows of an answer that are in memory at a time."""
ASKS = "ask with SELECT, WITH, FROM, PIVOT, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN"
_EXPLAIN = re.compile(r"\s*explain\s+(analyze\s+)?", re.IGNORECASE)
_PIVOT = ("FROM", "PIVOT", "SELECT", "UNPIVOT", "WITH")
_NO_TABLE = re.compile(r"Table with name (.+?) does not exist")
_NO_COLUMN = re.compile(r'[Cc]olumn "([^"]+)" (?:was )?not found|does not have a column named "([^"]+)"')
_REFUSALS = (duckdb.Error, pa.ArrowException, OSError, UnicodeDecodeError, ValueError, RuntimeError)


def tables(reader: Reader, fault: Fault) -> dict[str, Source]:
    """Return the tables that a query sees: what the run keeps, and `words` with their counts."""
    found = reader.sql_tables(fault)
    if WORDS in reader.schemas:
        found[WORDS] = Later(lambda: words(reader), fault)
    return found


@contextlib.contextmanager
def answer(reader: Reader, sql: str, memory: int = QUERY_MEMORY) -> Iterator[pa.RecordBatchReader]:
    """Give the rows of a query's answer, batch by batch, to be read within the block; `memory` is in megabytes.

    Raises PipelineError for what is no question, for what would write or reach anything but the run, with DuckDB's
    reason and the names of tables and columns for what it cannot answer, and where a part is not what was written.
    Wherever the block reads, the same errors may come.
    """
    fault = Fault()
    names = tables(reader, fault)
    spill = tempfile.mkdtemp(prefix="shakedown-query-")
    with contextlib.ExitStack() as stack:

        def remove() -> str:
            shutil.rmtree(spill, ignore_errors=True)
            return ""

        stack.callback(remove)
        stack.enter_context(before_leaving(remove))
        try:
            connection = stack.enter_context(contextlib.closing(_locked(memory, spill)))
            for name, source in names.items():
                connection.register(name, source)
            relation = connection.sql(question(sql))
            batches = relation.to_arrow_reader(BATCH)
        except PipelineError:
            raise
        except _REFUSALS as error:
            raise fault.error or refusal(error, reader, names, memory) from error

        def told(error: Exception) -> PipelineError:
            return fault.error or refusal(error, reader, names, memory)

        yield pa.RecordBatchReader.from_batches(batches.schema, _with_stops(batches, told))


def run_sql(reader: Reader, sql: str, memory: int = QUERY_MEMORY) -> pa.Table:
    """Return the whole answer of a query; raises PipelineError as `answer` does."""
    with answer(reader, sql, memory) as batches:
        return batches.read_all()


def _with_stops(batches: pa.RecordBatchReader, told: Callable[[Exception], PipelineError]) -> Iterator[pa.RecordBatch]:
    """Yield the batches; what goes wrong in reading is told as it is, before a writer takes it for its own fault."""
    while True:
        safe_point()
        try:
            batch = batches.read_next_batch()
            # Texts that are none, of a part with a true checksum.
            batch.validate(full=True)
        except StopIteration:
            return
        except PipelineError:
            raise
        except _REFUSALS as error:
            raise told(error) from error
        yield batch


def _locked(memory: int, spill: str) -> duckdb.DuckDBPyConnection:
    """A database in memory that reaches no file, no network and no variable of this program, and stays so."""
    connection = duckdb.connect(":memory:")
    settings: dict[str, Any] = {
        "memory_limit": f"{memory}MB",
        "temp_directory": spill,
        "enable_external_access": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "python_enable_replacements": "false",
        "lock_configuration": "true",
    }
    for name, value in settings.items():
        connection.execute(f"SET {name} = ?", [value])
    return connection


def question(sql: str) -> str:
    """Return the one statement of a query; raises PipelineError where it is none, or more than asks.

    Raises duckdb.Error for what is no SQL.
    """
    statements = duckdb.extract_statements(_quoted(sql))
    if len(statements) != 1:
        what = f"holds {len(statements)} statements" if statements else "asks nothing"
        raise PipelineError(f"SQL: the query {what}; one is answered at a time", ASKS)
    statement = statements[0]
    text = str(statement.query).strip().removesuffix(";")
    kind = statement.type.name
    first = re.sub(r"^(\s|--.*\n|/\*(?s:.*?)\*/)*", "", text).partition(" ")[0].split("\n")[0].upper().strip("(;")
    if kind == "EXPLAIN":
        # What is explained with ANALYZE is done.
        inner = _EXPLAIN.match(text)
        allowed = inner is not None and [one.type.name for one in duckdb.extract_statements(text[inner.end() :])] == [
            "SELECT"
        ]
    else:
        # A PIVOT is several statements, of which the first finds out the columns.
        allowed = kind == "SELECT" or (kind == "MULTI" and first in _PIVOT)
    if not allowed:
        raise PipelineError(f"SQL: {first or kind} is refused: a query reads the run and changes nothing", ASKS)
    return text


def _quoted(sql: str) -> str:
    """The query with the name of the histograms' first column in quotes: bare, it is a word of SQL that no question
    needs."""
    found = list(re.finditer(r"""\bcolumn\b|"[^"]*"|'[^']*'|--[^\n]*|/\*(?s:.*?)\*/""", sql, re.IGNORECASE))
    for match in reversed(found):
        if match[0].lower() == "column":
            sql = f'{sql[: match.start()]}"column"{sql[match.end() :]}'
    return sql


def refusal(error: Exception, reader: Reader, names: Mapping[str, Source], memory: int) -> PipelineError:
    """Return what DuckDB says as one line, with the names that there are."""
    store = reader.store
    if isinstance(error, duckdb.OutOfMemoryException):
        return PipelineError(
            f"SQL: the query needs more than {memory:,} MB, and not all of it can go to temporary files",
            "give it more with --memory, or ask for less",
        )
    if isinstance(error, duckdb.PermissionException):
        return PipelineError(
            "SQL: a query reads the tables of the run, and no file or address", f"tables: {', '.join(names)}"
        )
    reason = " ".join(str(error).split("\n\nLINE ")[0].split("\nDid you mean")[0].split())
    reason = re.sub(r"^(\w+ )+Error: ", "", reason)
    columns = _columns(reader)
    near = ""
    if missing := _NO_TABLE.search(reason):
        # Rows that the run does not keep are no slip of the pen.
        near = "" if missing[1] == store.rows_folder else nearest(missing[1], names) + "; "
    elif missing := _NO_COLUMN.search(reason):
        asked = next(filter(None, missing.groups()))
        known = list(dict.fromkeys(name for some in columns.values() for name in some))
        close = nearest(asked, known)
        near = close + "; " if close.startswith("did") else ""
        reason = reason.split(" Candidate bindings")[0]
    reason = reason.rstrip("!.")
    lacks = store.mode.lacks()
    lacking = f"; the run keeps {lacks} (--keep {store.run.keep})" if lacks else ""
    listed = "; ".join(f"columns of {name}: {', '.join(some)}" for name, some in columns.items())
    return PipelineError(f"SQL: {reason[:300]}", f"{near}tables: {', '.join(names)}; {listed}{lacking}")


def _columns(reader: Reader) -> dict[str, list[str]]:
    """Columns of the main table, and of the words where there are any."""
    store = reader.store
    found = {store.main_kind: [*reader.schemas[store.main_kind].names, store.partition]}
    if WORDS in reader.schemas:
        found[WORDS] = ["word_id", "boards", store.partition, "word", "spelling", "length", "points"]
    return found
