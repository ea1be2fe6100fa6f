# SPDX-License-Identifier: Apache-2.0
"""What users hand us, as the library's data: arrays, sparse matrices, frames and files. Only
headers, shapes and types are looked at here. A value decides nothing before it is paid for: what is
missing or out of range is the library's to treat, by rules that are fixed before."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from tacitdp import _options as options
from tacitdp._call import Call
from tacitdp._errors import refuse, refuse_type
from tacitdp._library import ffi, lib, started, text_of

TYPES = {"float64": "TACIT_F64", "float32": "TACIT_F32", "int8": "TACIT_I8", "uint8": "TACIT_U8",
         "int16": "TACIT_I16", "uint16": "TACIT_U16", "int32": "TACIT_I32", "uint32": "TACIT_U32",
         "int64": "TACIT_I64", "uint64": "TACIT_U64"}


@dataclasses.dataclass(frozen=True)
class Described:
    """What the caller says of the columns; as the command's options of these names."""

    columns: Any = None
    unit_column: Optional[str] = None
    categories: options.Said = None
    weights: options.Said = None
    transforms: options.Said = None
    missing: options.Said = None
    declaration: Any = None  # of the library, from a schema or a ledger


class Table:
    """Opened data: the library's handle, the names of all its columns, and what it borrows."""

    def __init__(self, handle: Any, names: Optional[list[str]], columns: int, kept: Any) -> None:
        self.handle = handle
        self.names = names  # None: it has none
        self.columns = columns
        self._kept = kept

    def used(self) -> list[str]:
        """The columns in use, once bounds were declared."""
        return [text_of(lib.tacit_data_column_get(self.handle, i))
                for i in range(lib.tacit_data_column_count(self.handle))]


def open_table(call: Call, rows: Any, said: Described = Described(), units: Any = None) -> Table:
    """Opens whatever the caller has."""
    if isinstance(rows, (str, os.PathLike)):
        return _open_path(call, rows, said)
    if _is_sparse(rows):
        return _open_sparse(call, rows, said, units)
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):
        return _open_frame(call, rows, said, units)
    return _open_array(call, as_matrix(rows), None, said, units)


# ---- arrays ----

def as_matrix(rows: Any) -> npt.NDArray[Any]:
    """A C-ordered matrix of a type that the library reads; the array itself if it is one. Masked
    values become NaN, which is missing."""
    if isinstance(rows, np.ma.MaskedArray):
        rows = rows.astype(np.float64).filled(np.nan)
    array = np.asarray(rows)
    if array.dtype.kind == "O":
        refuse_type("the rows have dtype object; make each column a number (rows.astype(float)), "
                    "or give a data frame, whose texts can be declared as categories")
    if array.dtype.kind == "c":
        refuse("Complex data not supported: rows of complex numbers have no order; give real and "
               "imaginary parts as two columns")
    if array.dtype.kind not in "fiub":
        refuse_type(f"rows of dtype {array.dtype} are not numbers; give numbers, or a data frame "
                    "with declared categories or dates")
    if array.ndim != 2:
        refuse(f"Expected 2D array, got {_dimensions(array.ndim)} array instead: rows are a table "
               "with one row for each person. Reshape your data, with rows.reshape(-1, 1) if it is "
               "one column")
    if array.shape[1] == 0:
        refuse(f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required: the rows "
               "have no columns")
    if array.dtype.kind == "b":
        array = array.view(np.uint8)
    elif array.dtype.name == "float16":
        array = array.astype(np.float32)  # exact
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _dimensions(count: int) -> str:
    return {0: "scalar", 1: "1D"}.get(count, f"{count}D")


def _open_array(call: Call, matrix: npt.NDArray[Any], names: Optional[list[str]], said: Described,
                units: Any) -> Table:
    all_names = names
    if said.columns is not None:
        chosen = _chosen(said.columns, names, matrix.shape[1])
        matrix = np.ascontiguousarray(matrix[:, chosen])
        names = [names[i] if names else f"c{i + 1}" for i in chosen]
    columns = matrix.shape[1] if all_names is None else len(all_names)
    if matrix.shape[1] > 2**31 - 1:
        refuse("the rows have more columns than fit in 31 bits")
    values = ffi.cast("void *", matrix.ctypes.data)
    handle = call.make("tacit_data", lib.tacit_data_from_memory, values,
                       getattr(lib, TYPES[matrix.dtype.name]), matrix.shape[0], matrix.shape[1])
    table = Table(handle, all_names, columns, [matrix])
    _describe(call, table, names, said, units, matrix.shape[0])
    return table


def _describe(call: Call, table: Table, names: Optional[list[str]], said: Described, units: Any,
              rows: int) -> None:
    """Names, whose rows they are, and what columns are, for rows in memory."""
    if names is not None:
        kept = [ffi.new("char[]", name.encode()) for name in names]
        call.do(lib.tacit_data_set_columns, table.handle, ffi.new("char *[]", kept))
    if units is not None:
        codes = unit_codes(units, rows)
        table._kept.append(codes)
        call.do(lib.tacit_data_set_units, table.handle, ffi.cast("int64_t *", codes.ctypes.data),
                (said.unit_column or "person").encode())
    texts = options.Texts()
    opts = started("tacit_data_opts")
    if fill_features(opts, said, texts):
        call.do(lib.tacit_data_set_features, table.handle, opts)


def fill_features(opts: Any, said: Described, texts: options.Texts) -> bool:
    """What columns are, in a struct of the library; whether anything was said."""
    opts.categories = texts.c(options.said("categories", said.categories, options.words_of))
    opts.weights = texts.c(options.said("weights", said.weights, options.figure))
    opts.transforms = texts.c(options.said("transforms", said.transforms, options.some_text))
    opts.missing_rules = texts.c(options.said("missing", said.missing, options.rule))
    return any(value is not None for value in
               (said.categories, said.weights, said.transforms, said.missing))


def unit_codes(units: Any, rows: int) -> npt.NDArray[np.int64]:
    """Whose row it is, as numbers; None, NaN and NaT are nobody's."""
    array = np.asarray(units)
    if array.ndim != 1 or array.shape[0] != rows:
        refuse("units must be one-dimensional, one entry for each row, naming the person")
    if array.dtype.kind in "iu" and array.dtype != np.uint64:
        codes = np.unique(array, return_inverse=True)[1]
        return np.ascontiguousarray(codes, dtype=np.int64)
    nobody = np.array([_is_nothing(one) for one in array.tolist()], dtype=bool)
    names: dict[Any, int] = {}
    codes = np.array([-1 if no else names.setdefault(one, len(names))
                      for one, no in zip(array.tolist(), nobody)], dtype=np.int64)
    return codes


def _is_nothing(value: Any) -> bool:
    return value is None or value != value or value == ""


def _chosen(columns: Any, names: Optional[Sequence[str]], count: int) -> list[int]:
    """Places of columns that are named, or numbered from 1 as everywhere in tacit."""
    import csv

    wanted = columns
    if isinstance(columns, str):
        wanted = next(csv.reader([columns]))
    known = list(names) if names is not None else [f"c{i + 1}" for i in range(count)]
    places = []
    for one in wanted:
        if str(one) in known:
            places.append(known.index(str(one)))
        elif str(one).isdigit() and 1 <= int(one) <= count:
            places.append(int(one) - 1)
        else:
            refuse(f"columns names {one!r}, which the rows do not have; they have "
                   + ", ".join(known[:20]))
    if not places:
        refuse("columns names no column; name those to use, or leave it out")
    return places


# ---- sparse matrices ----

def _is_sparse(rows: Any) -> bool:
    return hasattr(rows, "tocsr") and hasattr(rows, "nnz")


def _open_sparse(call: Call, rows: Any, said: Described, units: Any) -> Table:
    """A scipy matrix of any layout, as CSR with columns in order and no entry twice."""
    if len(rows.shape) != 2:
        refuse("a sparse matrix of rows must have two dimensions")
    matrix = rows.tocsr()
    if not matrix.has_canonical_format:
        matrix = matrix.copy() if matrix is rows else matrix
        matrix.sum_duplicates()
    if matrix.dtype.kind not in "fiub":
        refuse_type(f"a sparse matrix of dtype {matrix.dtype} does not hold real numbers")
    if matrix.shape[1] > 2**24:
        refuse("a sparse matrix may have up to 2^24 columns")
    names: Optional[list[str]] = None
    if said.columns is not None:
        chosen = _chosen(said.columns, None, matrix.shape[1])
        matrix = matrix[:, chosen].tocsr()
        names = [f"c{i + 1}" for i in chosen]
    start = np.ascontiguousarray(matrix.indptr, dtype=np.int64)
    column = np.ascontiguousarray(matrix.indices, dtype=np.int32)
    value = np.ascontiguousarray(matrix.data, dtype=np.float64)
    handle = call.make("tacit_data", lib.tacit_data_from_csr,
                       ffi.cast("int64_t *", start.ctypes.data),
                       ffi.cast("int32_t *", column.ctypes.data),
                       ffi.cast("double *", value.ctypes.data), matrix.shape[0], matrix.shape[1])
    table = Table(handle, None, rows.shape[1], [start, column, value])
    _describe(call, table, names, said, units, matrix.shape[0])
    return table


# ---- frames ----

def _open_frame(call: Call, frame: Any, said: Described, units: Any) -> Table:
    """A data frame, by its columns of numbers."""
    names = [str(name) for name in frame.columns]
    place = {name: i for i, name in enumerate(names)}
    if said.unit_column is not None:
        if said.unit_column not in place:
            refuse(f"unit_column names {said.unit_column!r}, which the rows do not have")
        units = frame[frame.columns[place[said.unit_column]]].to_numpy()
    used = [name for name in names if name != said.unit_column
            and frame[frame.columns[place[name]]].to_numpy().dtype.kind in "fiub"]
    if not used:
        refuse("the frame has no columns of numbers")
    matrix = np.column_stack([frame[frame.columns[place[name]]].to_numpy() for name in used])
    return _open_array(call, as_matrix(matrix), used, said, units)


# ---- files ----

def _open_path(call: Call, path: Any, said: Described) -> Table:
    texts = options.Texts()
    opts = started("tacit_data_opts")
    fill_features(opts, said, texts)
    opts.columns = texts.c(options.listed("columns", said.columns))
    opts.unit_column = texts.c(said.unit_column)
    if said.declaration is not None:
        opts.declaration = said.declaration
    handle = call.make("tacit_data", lib.tacit_data_open, os.fsencode(path), opts)
    table = Table(handle, None, 0, [said.declaration])
    table.names = table.used()
    table.columns = len(table.names)
    return table
