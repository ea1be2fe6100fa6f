# SPDX-License-Identifier: Apache-2.0
"""Frames as Arrow streams: whatever has __arrow_c_stream__ (pandas with pyarrow, polars, pyarrow,
duckdb and others), and Parquet files. The library pulls the rows itself, once they are paid for."""

from __future__ import annotations

import ctypes
import importlib.util
import os
from typing import Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from tacitdp import _objects
from tacitdp._errors import FormatError, refuse_type
from tacitdp._library import ffi, lib

HAS_STREAMS = hasattr(lib, "tacit_data_from_arrow_stream")


def names_of(frame: Any) -> Optional[list[Any]]:
    """The columns of a frame; None: it is none that we know. Frames that show a column as an
    attribute are asked for `columns`, which no column can hide."""
    by_attribute = _objects.is_pandas(frame) or _module(frame) in ("duckdb", "_duckdb")
    for name in ("columns",) if by_attribute else ("column_names", "columns"):
        found = getattr(frame, name, None)
        if found is not None and not callable(found):
            return list(found)
    schema = getattr(frame, "schema", None)
    names = getattr(schema, "names", None)
    return None if names is None or callable(names) else list(names)


def _module(frame: Any) -> str:
    return type(frame).__module__.partition(".")[0]


def can_give(frame: Any) -> bool:
    """pandas has the method, and needs pyarrow to do what it says."""
    return not _objects.is_pandas(frame) or importlib.util.find_spec("pyarrow") is not None


def narrowed(frame: Any, names: Sequence[str], wanted: Optional[set[str]]) -> Any:
    """The frame without columns that cannot matter, where that costs nothing: texts and objects
    that nobody declared are then never converted. pandas' index is no column."""
    if not _objects.is_pandas(frame):
        return frame
    if wanted is not None:
        frame = frame.loc[:, [name for name in names if name in wanted]]
    return _objects.with_texts(frame.reset_index(drop=True))


def rows_of(frame: Any) -> int:
    """How many rows a frame has, which is asked where its caller has something for each."""
    count = getattr(frame, "num_rows", None)
    return int(len(frame) if count is None else count)


def with_column(frame: Any, name: str, codes: npt.NDArray[np.int64]) -> Any:
    """The frame and a column more, of numbers; those below 0 are missing."""
    values = [None if code < 0 else code for code in codes.tolist()]
    if _objects.is_pandas(frame):
        import pandas

        return frame.assign(**{name: pandas.array(values, dtype="Int64")})
    if _module(frame) == "polars":
        import polars

        return frame.with_columns(polars.Series(name, values, dtype=polars.Int64))
    try:
        import pyarrow
    except ImportError:
        refuse_type("units beside this frame need pyarrow: pip install pyarrow")
    return pyarrow.table(frame).append_column(name, pyarrow.array(values, pyarrow.int64()))


def capsule_of(frame: Any) -> Any:
    """The stream of a frame. What a producer says of a failure may hold a value, so it stays
    out."""
    try:
        return frame.__arrow_c_stream__()
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:
        kind = type(error).__name__
        raise FormatError(f"the frame cannot be handed over as an Arrow stream ({kind}): a column "
                          "may mix types or hold objects; give each column one type, or name the "
                          "columns to use") from None


def stream_in(capsule: Any) -> Any:
    """The struct ArrowArrayStream in a capsule."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ffi.cast("struct ArrowArrayStream *", get(capsule, b"arrow_array_stream"))


def is_parquet(path: str) -> bool:
    return path.lower().endswith((".parquet", ".pq"))


def open_parquet(path: str, descriptor: int) -> Any:
    """A Parquet file as something with __arrow_c_stream__, by its open descriptor: in a name, marks
    such as * would stand for other files. Only the footer is read here."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return _by_duckdb(path, descriptor)
    try:
        file = pyarrow.parquet.ParquetFile(os.fdopen(os.dup(descriptor), "rb"))
        return pyarrow.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches())
    except (pyarrow.ArrowException, OSError):
        raise FormatError(f"{path}: is not a Parquet file, or a damaged one") from None


def _by_duckdb(path: str, descriptor: int) -> Any:
    try:
        import duckdb
    except ImportError:
        refuse_type(f"{path} is a Parquet file, which needs pyarrow or duckdb: pip install pyarrow")
    try:
        return duckdb.connect().read_parquet(f"/proc/self/fd/{descriptor}")
    except duckdb.Error:
        raise FormatError(f"{path}: is not a Parquet file, or a damaged one") from None
