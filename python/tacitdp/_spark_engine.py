# SPDX-License-Identifier: Apache-2.0
"""Rows on Spark, as an engine of the library. This process is the root: it has the ledger, the
noise key and the method. Spark carries bytes: rows become blocks, which Spark keeps; a query is one
pass over the blocks. Ordinary jobs of mapInArrow, no sockets, no barrier, no RDD."""

from __future__ import annotations

import math
import uuid
from typing import Any, Callable, Optional

from tacitdp._call import Call
from tacitdp._errors import ReadError, TacitError, error_of, refuse, refuse_type
from tacitdp._library import __version__, ffi, lib, started
from tacitdp._spark_tasks import ANSWERED, MARK, PLACED, TARGET, TRIED, Answer, Assign, \
    Combine, Place, lent, version_of

MANY = 256  # shards; answers of more of them are combined before they reach the driver

# Spark's types as Arrow has them; a column of any other type can be there but not be used.
_ARROW = {"boolean": "bool", "byte": "int8", "short": "int16", "integer": "int32", "long": "int64",
          "float": "float", "double": "double", "string": "string", "char": "string",
          "varchar": "string", "date": "date32", "timestamp_ntz": "timestamp[us]"}


def schema_of(frame: Any) -> Any:
    """The columns of a frame as an Arrow schema. Reads no row."""
    import pyarrow

    fields = []
    for field in frame.schema.fields:
        kind = field.dataType.typeName()
        if kind == "decimal":
            arrow = pyarrow.decimal128(field.dataType.precision, field.dataType.scale)
        elif kind == "timestamp":
            arrow = pyarrow.timestamp("us", tz="UTC")
        else:
            arrow = pyarrow.type_for_alias(_ARROW[kind]) if kind in _ARROW else pyarrow.null()
        fields.append(pyarrow.field(field.name, arrow))
    return pyarrow.schema(fields)


def check_types(frame: Any, used: list[str]) -> None:
    """Refuses a column in use that has no values which a row could be clustered by."""
    for field in frame.schema.fields:
        kind = field.dataType.typeName()
        if field.name not in used or kind in _ARROW or kind in ("decimal", "timestamp"):
            continue
        hint = ("; make columns of it, with vector_to_array and select"
                if kind in ("array", "udt", "vectorudt") else "")
        refuse_type(f"column {field.name!r} is of Spark's type {kind}, which holds no single "
                    f"number, date or text{hint}")


class SparkRows:
    """The rows of one run. Closed by `end`, which the library calls however the run ended."""

    def __init__(self, frame: Any, session: Any, used: list[str], persons: bool) -> None:
        self.frame = frame
        self.session = session
        self.schema = schema_of(frame)
        self.places = [i for i, name in enumerate(self.schema.names) if name in used]
        self.persons = persons
        self.shards = _shards_for(session, frame) if persons else 0  # 0: as many as partitions
        self.tag = f"tacit-{uuid.uuid4().hex}"
        self.spec = b""
        self.rows: Any = None  # the columns in use, as Spark keeps them
        self.blocks: Any = None
        self.marks: Optional[dict[int, bytes]] = None  # which rows each shard had at first
        self.empty: list[bytes] = []  # blocks of a frame that has no partition at all
        self.queries = 0
        self.failed: Optional[BaseException] = None
        self.sentence: Any = ffi.NULL

    # ---- before anything is spent ----

    def try_workers(self) -> None:
        """Can Spark's Python workers run tacit, and the same one? Looks at no row."""
        try:
            slots = self.session.range(0, 2, 1, 2)
            found = {row[0] for row in slots.mapInArrow(version_of, TRIED).collect()}
        except Exception as error:
            raise ReadError(
                "Spark's Python workers cannot run tacit: install tacit-dp and pyarrow for the "
                "Python that spark.pyspark.python names on every executor") from error
        if found - {__version__}:
            refuse(f"this is tacit {__version__}, and Spark's workers have "
                   + ", ".join(sorted(found - {__version__})) + "; install one version everywhere")

    # ---- what the library calls ----

    def start(self, spec: bytes) -> None:
        """Which rows there are is settled here: Spark keeps the columns in use, so that a source
        that gives other rows the next time does not matter."""
        from pyspark import StorageLevel
        from pyspark.sql import functions

        self.session.addTag(self.tag)
        self.spec = spec
        # By number: points, quotes and letters in names mean something to Spark.
        numbered = self.frame.toDF(*[f"c{i}" for i in range(len(self.schema))])
        names = [f"c{i}" for i in self.places]
        # The tag makes it a plan of its own: nobody's cache is used, and nobody's is dropped.
        mark = functions.xxhash64(*names, functions.lit(self.tag)).alias(MARK)
        rows = numbered.select(*names, mark)
        if self.persons:
            rows = self._together(rows)
        self.rows = rows.persist(StorageLevel.MEMORY_AND_DISK)

    def _together(self, rows: Any) -> Any:
        """All rows of a person on one shard. Which one says a keyed hash of the id, and the shard
        looks whether it is so."""
        from pyspark.sql.types import IntegerType, StructField, StructType

        if self.shards == 1:
            return rows.repartition(1)
        wider = StructType([*rows.schema.fields, StructField(TARGET, IntegerType())])
        task = Assign(self.spec, self._written(), self.places)
        return rows.mapInArrow(task, wider).repartitionById(self.shards, TARGET).drop(TARGET)

    def _written(self) -> bytes:
        return bytes(self.schema.serialize())

    def place(self, frames: bytes, take: Callable[[bytes], None]) -> None:
        from pyspark import StorageLevel

        old, self.blocks = self.blocks, None
        if old is not None:
            old.unpersist()
        task = Place(self.spec, frames, self._written(), self.places)
        self.blocks = self.rows.mapInArrow(task, PLACED).persist(StorageLevel.MEMORY_AND_DISK)
        placed = self.blocks.select("shard", "status", "sentence", MARK, "receipt").collect()
        for row in placed:
            _check(row)
        marks = {row["shard"]: bytes(row[MARK]) for row in placed}
        if self.marks is not None and marks != self.marks:
            raise ReadError("the rows changed while they were clustered: Spark lost some that it "
                            "kept, and made others of the same source. Write the DataFrame to a "
                            "table first, and cluster that")
        self.marks = marks
        for row in placed:
            take(bytes(row["receipt"]))
        self.empty = []
        if not placed:  # no row is a table like any other
            self._place_nothing(task, take)

    def _place_nothing(self, task: Place, take: Callable[[bytes], None]) -> None:
        """Spark runs no task where it knows that there is no row; so this process does."""
        for index in range(max(self.shards, 1)):
            with Call(1) as call:
                receipt, block = task.placed(call, task.feed([]), index)
            take(receipt)
            self.empty.append(block)

    def evaluate(self, query: bytes, take: Callable[[bytes], None]) -> None:
        self.queries += 1
        task = Answer(self.spec, query)
        for block in self.empty:
            with Call(1) as call:
                take(task.answer(call, block))
        answers = self.blocks.mapInArrow(task, ANSWERED)
        shards = len(self.marks or ())
        if shards > MANY:  # a square root of them at a time, and never all on the driver
            answers = answers.repartition(math.isqrt(shards)).mapInArrow(Combine(self.spec),
                                                                         ANSWERED)
        for row in answers.collect():
            _check(row)
            take(bytes(row["answer"]))

    def end(self) -> None:
        for kept in (self.blocks, self.rows):
            if kept is not None:
                kept.unpersist()
        self.blocks = self.rows = None
        self.session.removeTag(self.tag)

    def interrupt(self) -> None:
        """Ends the job that runs, from another thread."""
        self.session.interruptTag(self.tag)

    # ---- the library's struct ----

    def attach(self, call: Any, data: Any) -> list[Any]:
        """Tells the library that the rows of `data` are here. What it borrows is given back."""
        engine = started("tacit_engine")
        engine.shards = self.shards
        fields = dict(ffi.typeof("tacit_engine").fields)

        def replying(function: Callable[..., None]) -> Callable[..., int]:
            def run(message: Any, size: int, replies: Any, payload: Any) -> int:
                def take(reply: bytes) -> None:
                    status = lib.tacit_replies_add(replies, *lent(reply))
                    if status != 0:  # the library knows why, and says it
                        raise error_of(status, "")

                return self._guarded(function, bytes(ffi.buffer(message, size)), take)

            return run

        functions: dict[str, Callable[..., Any]] = {
            "start": lambda spec, size, payload:
                self._guarded(self.start, bytes(ffi.buffer(spec, size))),
            "place": replying(self.place),
            "evaluate": replying(self.evaluate),
            "end": lambda payload: [self._guarded(self.end), None][1],
            "explain": lambda payload: self.sentence,
        }
        kept = []
        for name, function in functions.items():
            callback = ffi.callback(fields[name].type, function)
            setattr(engine, name, callback)
            kept.append(callback)
        call.do(lib.tacit_data_set_engine, data, engine)
        return kept

    def _guarded(self, function: Callable[..., None], *arguments: Any) -> int:
        """A callback must not raise. What Spark says of a failure may hold a value, so that only
        its kind goes into the sentence."""
        try:
            function(*arguments)
            return 0
        except TacitError as error:
            self._explain(str(error))
            return int(error.status)
        except BaseException as error:
            self.failed = error
            self._explain(f"Spark could not finish a job ({type(error).__name__}); its own logs "
                          "say why")
            return int(ReadError.status)

    def _explain(self, sentence: str) -> None:
        self.sentence = ffi.new("char[]", sentence.encode()) if sentence else ffi.NULL


def _shards_for(session: Any, frame: Any) -> int:
    """How many shards persons are on: as many as Spark shuffles into, which Spark 4.1 can do."""
    if not hasattr(frame, "repartitionById"):
        return 1
    return int(session.conf.get("spark.sql.shuffle.partitions"))


def _check(row: Any) -> None:
    if row["status"] != 0:
        raise error_of(row["status"], row["sentence"] or "a task of tacit failed")
