# SPDX-License-Identifier: Apache-2.0
"""What Spark's Python workers do with rows: find out where a person's rows belong, place rows,
answer queries. Every task is a function of its input alone, so that Spark may try it again.

A task does not raise what it finds wrong, since Spark shows tracebacks to many and tries a task
again: it gives back a row with a status and the library's sentence, which holds no value of the
data."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any, Iterator, Optional

from tacitdp import _arrow
from tacitdp._call import Call
from tacitdp._errors import ArgumentError, InternalError, TacitError
from tacitdp._library import __version__, ffi, lib, started

MARK = "tacit_rows"  # a hash of each row: which rows a shard has, in any order
TARGET = "tacit_shard"  # the shard that a row belongs on
MOST = 2**31 - 2**16  # bytes of one value, as Java and Arrow have them
PLACED = f"shard long, status int, sentence string, {MARK} binary, receipt binary, block binary"
ANSWERED = "status int, sentence string, answer binary"
TRIED = "version string"


def version_of(batches: Any) -> Iterator[Any]:
    """Which tacit a worker has."""
    import pyarrow

    for _ in batches:
        pass
    yield pyarrow.RecordBatch.from_pydict({"version": [__version__]})


def bytes_from(call: Call, function: Any, *arguments: Any) -> bytes:
    """What a call gives as one pair of pointer and length at its end."""
    out, size = ffi.new("uint8_t **"), ffi.new("size_t *")
    call.do(function, *arguments, out, size)
    try:
        return bytes(ffi.buffer(out[0], size[0]))
    finally:
        lib.tacit_free(out[0])


def lent(data: Any) -> tuple[Any, int]:
    """Bytes as the library takes them, without a copy."""
    return ffi.from_buffer("uint8_t[]", data), len(data)


class Seen:
    """Which rows went by: how many, and the sum of their hashes modulo 2^64, whatever their
    order. It tells rows that changed by accident; the library's own tag is a keyed one."""

    def __init__(self) -> None:
        self.rows = 0
        self.sum = 0

    def add(self, marks: Any) -> None:
        import numpy as np

        self.rows += len(marks)
        words = marks.to_numpy(zero_copy_only=False).view(np.uint64)
        self.sum = (self.sum + int(words.sum(dtype=np.uint64))) % 2**64

    def mark(self) -> bytes:
        return self.rows.to_bytes(8, "little") + self.sum.to_bytes(8, "little")


class Feed:
    """Batches on their way to the library as a stream. Columns that are not in use were left
    behind: they are nulls here, so that the table is as wide as its declaration. Batches have the
    columns at `places`, then MARK. What Spark raises meanwhile is Spark's, and kept."""

    def __init__(self, schema: Any, places: list[int], batches: Any) -> None:
        self.schema = schema
        self.places = places
        self.batches = iter(batches)
        self.seen = Seen()
        self.failed: Optional[BaseException] = None
        first = self._next()
        self.first = first
        if first is not None:  # widths of texts and labels of time zones are those of the session
            self.schema = self._typed(first)

    def _next(self) -> Any:
        return next(self.batches, None)

    def _typed(self, batch: Any) -> Any:
        import pyarrow

        fields = list(self.schema)
        for i, place in enumerate(self.places):
            fields[place] = fields[place].with_type(batch.schema.field(i).type)
        return pyarrow.schema(fields)

    def _whole(self, batch: Any) -> Any:
        import pyarrow

        self.seen.add(batch.column(len(self.places)))
        there = {place: batch.column(i) for i, place in enumerate(self.places)}
        columns = [there[place] if place in there else pyarrow.nulls(batch.num_rows, kind)
                   for place, kind in enumerate(self.schema.types)]
        return pyarrow.RecordBatch.from_arrays(columns, schema=self.schema)

    def _wholes(self) -> Iterator[Any]:
        batch = self.first
        while batch is not None:
            yield self._whole(batch)
            try:
                batch = self._next()
            except BaseException as error:
                self.failed = error
                raise

    def open(self, call: Call) -> Any:
        """The rows as the library's data; what they are like is said by the run."""
        import pyarrow

        reader = pyarrow.RecordBatchReader.from_batches(self.schema, self._wholes())
        capsule = reader.__arrow_c_stream__()  # lives until the stream has moved
        return call.make("tacit_data", lib.tacit_data_from_arrow_stream,
                         _arrow.stream_in(capsule), ffi.NULL)


@dataclasses.dataclass(repr=False)  # a spec holds the run's key
class Assign:
    """Beside every row the shard that its person is on; nobody's rows are left out, as they count
    nowhere."""

    spec: bytes
    schema: bytes
    places: list[int]

    def __call__(self, batches: Any) -> Iterator[Any]:
        import pyarrow
        import pyarrow.compute

        for batch in batches:
            found: dict[str, Any] = {"status": 0, "sentence": None}
            with refusals(found), Call(1) as call:
                found["shards"] = self._shards(call, batch)
            if found["status"] != 0:  # rows go on to a shuffle: there is no other way to say it
                raise RuntimeError(found["sentence"]) from None
            shards = pyarrow.array(found["shards"], pyarrow.int32())
            wider = batch.append_column(TARGET, shards)
            yield wider.filter(pyarrow.compute.greater_equal(shards, 0))

    def _shards(self, call: Call, batch: Any) -> Any:
        import numpy as np

        data = Feed(_schema_of(self.schema), self.places, [batch]).open(call)
        out, rows = ffi.new("int64_t **"), ffi.new("int64_t *")
        call.do(lib.tacit_shard_numbers, data, *lent(self.spec), out, rows)
        try:
            return np.frombuffer(ffi.buffer(out[0], 8 * rows[0]), np.int64).astype(np.int32)
        finally:
            lib.tacit_free(out[0])


@dataclasses.dataclass(repr=False)
class Place:
    """Rows of one partition to one block, and a receipt for the root."""

    spec: bytes
    frames: bytes
    schema: bytes
    places: list[int]

    def __call__(self, batches: Any) -> Iterator[Any]:
        from pyspark import TaskContext

        feed = self.feed(batches)
        index = TaskContext.get().partitionId()
        found: dict[str, Any] = {"shard": index, "status": 0, "sentence": None, MARK: None,
                                 "receipt": None, "block": None}
        with refusals(found, feed), Call(1) as call:
            found["receipt"], found["block"] = self.placed(call, feed, index)
        found[MARK] = feed.seen.mark()
        yield _row(found, PLACED)

    def feed(self, batches: Any) -> Feed:
        return Feed(_schema_of(self.schema), self.places, batches)

    def placed(self, call: Call, feed: Feed, index: int) -> tuple[bytes, bytes]:
        data = feed.open(call)
        opts = started("tacit_shard_opts")
        opts.index, opts.may_repeat = index, 1
        opts.parted = 1  # rows of persons came here by their numbers
        shard = call.make("tacit_shard", lib.tacit_shard_open, data, *lent(self.spec), opts)
        try:
            receipt = bytes_from(call, lib.tacit_shard_place, shard, *lent(self.frames))
            block = bytes_from(call, lib.tacit_shard_secret_block, shard)
            if len(block) > MOST:
                raise ArgumentError("a partition of the DataFrame has more rows than fit in one "
                                    "value of Spark; use more partitions (DataFrame.repartition)")
            return receipt, block
        finally:
            ffi.release(shard)  # before its data


@dataclasses.dataclass(repr=False)
class Answer:
    """Blocks to one answer: exact words, which are secret."""

    spec: bytes
    query: bytes

    def __call__(self, batches: Any) -> Iterator[Any]:
        for batch in batches:
            for block in batch.column("block"):
                found: dict[str, Any] = {"status": 0, "sentence": None, "answer": None}
                with refusals(found), Call(1) as call:
                    found["answer"] = self.answer(call, block.as_buffer())
                yield _row(found, ANSWERED)

    def answer(self, call: Call, block: Any) -> bytes:
        shard = call.make("tacit_shard", lib.tacit_shard_from_secret_block, *lent(self.spec),
                          *lent(block))
        try:
            return bytes_from(call, lib.tacit_shard_secret_answer, shard, *lent(self.query))
        finally:
            ffi.release(shard)


@dataclasses.dataclass(repr=False)
class Combine:
    """Answers of many shards to fewer answers, for the driver's sake. They keep whose they are."""

    spec: bytes

    def __call__(self, batches: Any) -> Iterator[Any]:
        total: Optional[bytes] = None
        for batch in batches:
            for found in batch.to_pylist():
                if found["status"] == 0:
                    with refusals(found), Call(1) as call:
                        total = self._added(call, total, found["answer"])
                if found["status"] != 0:
                    yield _row(found, ANSWERED)
        if total is not None:
            yield _row({"status": 0, "sentence": None, "answer": total}, ANSWERED)

    def _added(self, call: Call, total: Optional[bytes], answer: bytes) -> bytes:
        if total is None:
            return answer
        return bytes_from(call, lib.tacit_secret_answers_combine, *lent(self.spec), *lent(total),
                          *lent(answer))


@contextlib.contextmanager
def refusals(found: dict[str, Any], feed: Optional[Feed] = None) -> Iterator[None]:
    """What the library refuses goes into the row that the task gives back. Of any other exception
    only its kind is told: what it says may hold a value. What Spark raised stays Spark's, and so
    does a lack of memory, which may pass."""
    try:
        yield
    except TacitError as error:
        if feed is not None and feed.failed is not None:
            raise feed.failed from None
        if isinstance(error, MemoryError):
            raise MemoryError("a task of tacit ran out of memory") from None
        found["status"], found["sentence"] = error.status, str(error)
    except Exception as error:
        found["status"] = InternalError.status
        found["sentence"] = f"a task of tacit failed ({type(error).__name__})"


def _schema_of(written: bytes) -> Any:
    import pyarrow

    return pyarrow.ipc.read_schema(pyarrow.py_buffer(written))


def _row(found: dict[str, Any], columns: str) -> Any:
    """One row of what a task gives back; columns: as Spark writes them."""
    import pyarrow

    kinds = {"long": pyarrow.int64(), "int": pyarrow.int32(), "string": pyarrow.string(),
             "binary": pyarrow.binary()}
    fields = [one.split() for one in columns.split(", ")]
    return pyarrow.RecordBatch.from_pylist([found], pyarrow.schema(
        [(name, kinds[kind]) for name, kind in fields]))
