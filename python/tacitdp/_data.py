# SPDX-License-Identifier: Apache-2.0
"""What users hand us, as the library's data: arrays, sparse matrices, frames and files. Only
headers, shapes and types are looked at here. A value decides nothing before it is paid for: what is
missing or out of range is the library's to treat, by rules that are fixed before."""

from __future__ import annotations

import csv
import dataclasses
import difflib
import os
import re
import warnings
import weakref
from typing import Any, BinaryIO, Mapping, Optional, Sequence

import numpy as np
import numpy.typing as npt

from tacitdp import _arrow, _convert, _objects
from tacitdp import _options as options
from tacitdp._call import Call
from tacitdp._errors import ArgumentError, DomainError, FormatError, refuse, refuse_type
from tacitdp._library import ffi, lib, started, text_of
from tacitdp._source import Source, opened_vocabulary
from tacitdp.files import File, as_file

TYPES = {"float64": "TACIT_F64", "float32": "TACIT_F32", "int8": "TACIT_I8", "uint8": "TACIT_U8",
         "int16": "TACIT_I16", "uint16": "TACIT_U16", "int32": "TACIT_I32", "uint32": "TACIT_U32",
         "int64": "TACIT_I64", "uint64": "TACIT_U64"}

PERSON = "person"  # the column that says whose row it is, where the caller gave units


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
    bounds: options.Bounds = None
    radius: Any = None
    center: Any = None
    chooser: str = "columns"  # who names the columns, for sentences

    def named(self) -> Optional[set[str]]:
        """The columns that can matter, as far as that is said; None: any."""
        if self.declaration is not None:
            return None
        named: set[str] = set()
        if self.columns is not None:
            if isinstance(self.columns, str):
                return None
            named |= {str(one) for one in self.columns}
        elif isinstance(self.bounds, Mapping):
            named |= {str(one) for one in self.bounds}
            if isinstance(self.categories, Mapping):
                named |= {str(one) for one in self.categories}
            elif self.categories is not None:
                return None
        if self.unit_column is not None:
            named.add(self.unit_column)
        told = [self.categories, self.weights, self.transforms, self.missing]
        keys = {str(key) for one in told if isinstance(one, Mapping) for key in one}
        # a number counts all columns of the frame: were some left out, it would mean another one
        numbered = any(one.isdigit() for one in named | keys) or any(
            isinstance(one, str) and re.search(r"(^|[,;])\s*\d+\s*=", one) for one in told)
        return None if numbered or named <= {self.unit_column} else named


class Table:
    """Opened data: the library's handle, the names of all its columns, and what it borrows."""

    def __init__(self, handle: Any, names: Optional[list[str]], columns: int, kept: Any) -> None:
        self.handle = handle
        self.names = names  # None: it has none
        self.columns = columns
        self._kept = kept

    def keep(self, *more: Any) -> None:
        """Borrowed by the handle, too."""
        self._kept = [self._kept, *more]

    def used(self) -> list[str]:
        """The columns in use, once bounds were declared."""
        return [text_of(lib.tacit_data_column_get(self.handle, i))
                for i in range(lib.tacit_data_column_count(self.handle))]


def open_table(call: Call, rows: Any, said: Described = Described(), units: Any = None, *,
               source: Optional[Source] = None, names: Optional[list[str]] = None,
               counts: bool = False, header_only: bool = False) -> Table:
    """Opens whatever the caller has.

    names: of the columns of an array or sparse matrix, which has none itself. counts: it is a
    table of counts, so that a CSV file with row, col and count is one of entries. header_only: no
    row will be asked for.
    """
    rows = as_file(rows)
    if isinstance(rows, (str, os.PathLike)):
        if units is not None:
            refuse("units are for rows in memory; of a file, name its unit_column")
        return _open_file(call, rows, said, source, counts, header_only)
    if header_only and type(rows).__module__.startswith("pyspark.sql."):
        from tacitdp._spark_engine import schema_of

        rows = schema_of(rows).empty_table()
    if _is_sparse(rows):
        return _open_sparse(call, rows, said, units, names)
    _check_table(rows)
    found = None if isinstance(rows, np.ndarray) else _frame_names(rows)
    if found is not None:
        return _open_frame(call, rows, found, said, units)
    if hasattr(rows, "to_numpy"):  # a frame with numbered columns
        rows = _objects.matrix_of(rows)
    elif source is not None and source.ledger is not None and not hasattr(rows, "dtype"):
        refuse_type(f"rows with a ledger are an array or a frame, not {options.kind_of(rows)}: the "
                    "type of a list is that of its values, which nobody may see yet; give "
                    "numpy.array(rows, dtype=float)")
    return _open_array(call, as_matrix(rows), names, said, units)


def _check_table(rows: Any) -> None:
    """What is often given and is no table is refused by its kind, with what to give instead."""
    kind = options.kind_of(rows)
    if isinstance(rows, np.ndarray) or _objects.is_pandas(rows):
        return
    if hasattr(rows, "collect") and hasattr(rows, "collect_schema"):
        refuse_type("a lazy frame has no rows yet; give rows.collect()")
    if isinstance(rows, bytes) or hasattr(rows, "read"):
        refuse_type(f"files are named by their path, a str or pathlib.Path, not by {kind}")
    if isinstance(rows, Mapping):
        refuse_type(f"a {kind} is no table; give pandas.DataFrame(rows) or pyarrow.table(rows)")
    if hasattr(rows, "to_frame") and getattr(rows, "ndim", 1) == 1:
        refuse(f"Expected 2D array, got 1D array instead: a {kind} is one column; give "
               "rows.to_frame(). Reshape your data, if it is an array")
    if hasattr(rows, "__next__") or hasattr(rows, "ngroups"):
        refuse_type(f"rows are an array, a frame or a path, not object {kind}")


def opened_by_declaration(rows: Any) -> bool:
    """Does the library take the declaration of such rows itself? Of files and streams."""
    rows = as_file(rows)
    if isinstance(rows, (str, os.PathLike)):
        return True
    return (not isinstance(rows, np.ndarray) and not _is_sparse(rows)
            and _gives_stream(rows) and _frame_names(rows) is not None)


def _gives_stream(rows: Any) -> bool:
    return (_arrow.HAS_STREAMS and hasattr(rows, "__arrow_c_stream__")
            and _arrow.can_give(rows))


def width_of(rows: Any) -> Optional[int]:
    """Columns of an array or sparse matrix, which have no names; None: something that has."""
    rows = as_file(rows)
    if isinstance(rows, (str, os.PathLike)):
        return None
    if not _is_sparse(rows) and not isinstance(rows, np.ndarray):
        if _frame_names(rows) is not None:
            return None
        rows = np.asarray(_objects.matrix_of(rows) if hasattr(rows, "to_numpy") else rows)
    if isinstance(rows, np.ndarray):
        check_kind(rows)
    return int(rows.shape[1])


# ---- arrays ----

def as_matrix(rows: Any) -> npt.NDArray[Any]:
    """A C-ordered matrix of a type that the library reads; the array itself if it is one. Masked
    values become NaN, which is missing."""
    if isinstance(rows, np.ma.MaskedArray):
        rows = np.ma.filled(rows.astype(np.float64), np.nan)
    array = np.asarray(rows)
    check_kind(array)
    if array.dtype.kind == "b":
        array = array.view(np.uint8)
    elif array.dtype.name == "float16":
        array = array.astype(np.float32)  # exact
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def check_kind(array: npt.NDArray[Any]) -> None:
    """A matrix of real numbers, by its type and shape."""
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


def _dimensions(count: int) -> str:
    return {0: "scalar", 1: "1D"}.get(count, f"{count}D")


def _open_array(call: Call, matrix: npt.NDArray[Any], names: Optional[list[str]], said: Described,
                units: Any) -> Table:
    columns, all_names = matrix.shape[1], names
    if said.unit_column is not None and units is None:
        known = [_name(names, i) for i in range(columns)]
        if said.unit_column not in known and not said.unit_column.isdigit():
            refuse(f"unit_column is {said.unit_column!r}, which is no column of these rows; give "
                   "units in fit: whose row it is")
        place = _chosen("unit_column", [said.unit_column], names, columns)[0]
        units = matrix[:, place]
        rest = [i for i in range(columns) if i != place]
        if said.columns is None:
            said = dataclasses.replace(said, columns=[_name(names, i) for i in rest])
    if said.columns is not None:
        chosen = _chosen("columns", said.columns, names, columns)
        if chosen != list(range(columns)):
            matrix = np.ascontiguousarray(matrix[:, chosen])
            names = [_name(names, i) for i in chosen]
    values = ffi.cast("void *", matrix.ctypes.data)
    handle = call.make("tacit_data", lib.tacit_data_from_memory, values,
                       getattr(lib, TYPES[matrix.dtype.name]), matrix.shape[0], matrix.shape[1])
    table = Table(handle, all_names, columns, [matrix])
    _describe(call, table, names, said, units, matrix.shape[0])
    return table


def _name(names: Optional[Sequence[str]], place: int) -> str:
    return names[place] if names else f"c{place + 1}"


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
                (said.unit_column or PERSON).encode())
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
    if isinstance(units, str):
        refuse("units must be one-dimensional, one entry for each row; a column of the rows that "
               "names the person is unit_column")
    array = _objects.objects_of(units)
    if array.ndim != 1 or array.shape[0] != rows:
        refuse("units must be one-dimensional, one entry for each row, naming the person")
    if array.dtype.kind in "iu" and array.dtype != np.uint64:
        codes = np.unique(array, return_inverse=True)[1]
        return np.ascontiguousarray(codes, dtype=np.int64)
    codes_of: dict[Any, int] = {}
    people = map(_objects.person, array.tolist())
    return np.array([-1 if one is None else codes_of.setdefault(one, len(codes_of))
                     for one in people], dtype=np.int64)


def _chosen(option: str, columns: Any, names: Optional[Sequence[str]], count: int) -> list[int]:
    """Places of columns that are named, or numbered from 1 as everywhere in tacit."""
    wanted = next(csv.reader([options.listed(option, columns) or ""]))
    known = {_name(names, i): i for i in range(count)}
    places = []
    for one in wanted:
        if str(one) in known:
            places.append(known[str(one)])
        elif str(one).isdigit() and 1 <= int(one) <= count:
            places.append(int(one) - 1)
        else:
            some = ", ".join(list(known)[:20]) + (", ..." if count > 20 else "")
            refuse(f"{option} names {one!r}, which the rows do not have; they have {some}")
    if not places:
        refuse(f"{option} names no column; name those to use, or leave it out")
    if len(set(places)) != len(places):
        refuse(f"{option} names a column twice; name each once")
    return places


# ---- sparse matrices ----

def _is_sparse(rows: Any) -> bool:
    return hasattr(rows, "tocsr") and hasattr(rows, "nnz")


def _open_sparse(call: Call, rows: Any, said: Described, units: Any,
                 names: Optional[list[str]]) -> Table:
    """A scipy matrix of any layout, as CSR with no entry twice."""
    if len(rows.shape) != 2:
        refuse("a sparse matrix of rows must have two dimensions")
    if rows.dtype.kind not in "fiub":
        refuse(f"Complex data not supported: a sparse matrix of dtype {rows.dtype} does not hold "
               "real numbers")
    if not 0 < rows.shape[1] <= 2**24:
        refuse(f"0 feature(s) (shape={rows.shape}) while a minimum of 1 is required: a sparse "
               "matrix has 1 to 2^24 columns")
    matrix = rows.tocsr()
    if not matrix.has_canonical_format:
        matrix = matrix.copy() if matrix is rows else matrix
        matrix.sum_duplicates()
    columns, all_names = matrix.shape[1], names
    if said.columns is not None:
        chosen = _chosen("columns", said.columns, names, columns)
        if chosen != list(range(columns)):
            matrix = matrix[:, chosen].tocsr()
            names = [_name(names, i) for i in chosen]
    start = np.ascontiguousarray(matrix.indptr, dtype=np.int64)
    column = np.ascontiguousarray(matrix.indices, dtype=np.int32)
    value = np.ascontiguousarray(matrix.data, dtype=np.float64)
    handle = call.make("tacit_data", lib.tacit_data_from_csr,
                       ffi.cast("int64_t *", start.ctypes.data),
                       ffi.cast("int32_t *", column.ctypes.data),
                       ffi.cast("double *", value.ctypes.data), matrix.shape[0], matrix.shape[1])
    table = Table(handle, all_names, columns, [start, column, value])
    _describe(call, table, names, said, units, matrix.shape[0])
    return table


# ---- frames ----

def _frame_names(rows: Any) -> Optional[list[str]]:
    """Names of a frame's columns; None: it is no frame, or its columns are merely numbered."""
    names = _arrow.names_of(rows)
    if names is None or not names:
        return None
    if any(isinstance(name, tuple) for name in names):
        refuse_type("names of columns have several levels; make texts of them, for example "
                    "rows.columns = [\"_\".join(map(str, name)) for name in rows.columns]")
    texts = [isinstance(name, str) for name in names]
    if not any(texts):
        return None
    if not all(texts):
        refuse_type("some names of columns are texts and others are not; feature names are only "
                    "supported if all input features have string names: rename them")
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise FormatError(f"the frame has column {twice!r} twice; names must differ")
    return names


def _check_named(said: Described, names: list[str]) -> None:
    """The library gets the columns that are named, and so cannot say what others there are."""
    if said.named() is None:
        return
    for option, told, error in (
            ("a bound", said.bounds if said.columns is None else None, DomainError),
            (said.chooser, None if said.columns is None else list(said.columns), ArgumentError),
            ("categories", said.categories, ArgumentError),
            ("unit_column", [said.unit_column] if said.unit_column else None, ArgumentError)):
        for name in map(str, told if isinstance(told, (Mapping, list, tuple)) else ()):
            if name in names or name.isdigit():
                continue
            near = difflib.get_close_matches(name.lower(), [one.lower() for one in names], 1)
            meant = [one for one in names if near and one.lower() == near[0]]
            hint = f"did you mean {meant[0]!r}? Its columns: " if meant else "its columns: "
            some = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
            raise error(f"{option} names the column {name!r}, which the frame does not have; "
                        f"{hint}{some}")


def _open_frame(call: Call, frame: Any, names: list[str], said: Described, units: Any) -> Table:
    if units is not None and said.unit_column is not None:
        refuse("units and unit_column both say whose row it is; give one of them")
    _check_named(said, names)
    if not _gives_stream(frame):
        return _open_columns(call, frame, names, said, units)
    used = names
    if units is not None:  # a stream has its persons among its columns
        if PERSON in names:
            refuse(f"units become the column {PERSON!r}, which the frame has already; if it says "
                   f"whose row it is, give unit_column={PERSON!r}, else rename it")
        frame = _arrow.with_column(frame, PERSON, unit_codes(units, _arrow.rows_of(frame)))
        said, used = dataclasses.replace(said, unit_column=PERSON), [*names, PERSON]
    return _open_stream(call, _arrow.narrowed(frame, used, said.named()), names, said, None)


def _open_stream(call: Call, frame: Any, names: Optional[list[str]], said: Described,
                 file: Optional[File]) -> Table:
    capsule = _arrow.capsule_of(frame)
    texts = options.Texts()
    opts = _table_options(said, texts)
    if file is not None:
        file.fill(opts, texts)
        opts.format = lib.TACIT_FORMAT_AUTO
    handle = call.make("tacit_data", lib.tacit_data_from_arrow_stream, _arrow.stream_in(capsule),
                       opts)
    table = Table(handle, names, len(names or ()), [frame, capsule, said.declaration])
    if names is None:
        table.names = table.used()
        table.columns = len(table.names)
    return table


def _open_columns(call: Call, frame: Any, names: list[str], said: Described,
                  units: Any) -> Table:
    """A frame that gives no Arrow stream, by its columns of numbers."""
    wanted = said.named()
    values: dict[str, npt.NDArray[Any]] = {}
    for name in names:
        if wanted is not None and name not in wanted:
            continue
        values[name] = _objects.column_of(frame, name)
        if name == said.unit_column:
            units = values.pop(name)
        elif values[name].dtype.kind not in "fiub" and wanted is not None:
            refuse_type(f"column {name!r} holds no plain numbers, and such columns of this frame "
                        "need pyarrow: pip install pyarrow")
    used = [name for name in values if values[name].dtype.kind in "fiub"]
    if not used:
        refuse("the frame has no columns of numbers; other columns need pyarrow: pip install "
               "pyarrow")
    matrix = np.column_stack([values[name] for name in used])
    if said.unit_column is not None and units is None:
        refuse(f"unit_column names {said.unit_column!r}, which the frame does not have")
    table = _open_array(call, as_matrix(matrix), used, said, units)
    table.names, table.columns = names, len(names)
    return table


# ---- files ----

def _table_options(said: Described, texts: options.Texts) -> Any:
    """What is said of a table, as the library's struct has it."""
    opts = started("tacit_data_opts")
    fill_features(opts, said, texts)
    opts.columns = texts.c(options.listed("columns", said.columns))
    opts.unit_column = texts.c(said.unit_column)
    if said.declaration is not None:
        opts.declaration = said.declaration
    return opts


def _open_file(call: Call, rows: Any, said: Described, source: Optional[Source],
               counts: bool, header_only: bool) -> Table:
    """A file, by its open descriptor if there is one."""
    file = rows if isinstance(rows, File) else File(rows)
    path = os.fspath(file)
    descriptor = -1 if source is None else source.descriptor
    foreign = next(filter(_convert.is_foreign, file.paths()), None)
    if foreign is not None and len(file.paths()) > 1:
        refuse(f"{foreign}: several files are read in the formats of the library; read such files "
               "with pyarrow.dataset or duckdb and give the table, or save them as CSV")
    if source is not None and _is_converted(call, path, file, said):
        return _open_converted(call, path, file, said, source, counts, header_only)
    if _arrow.is_parquet(path):
        if not _arrow.HAS_STREAMS:
            refuse(f"{path}: this library has no Arrow streams, which Parquet needs")
        frame = _arrow.open_parquet(path, descriptor)
        return _open_stream(call, frame, _arrow.names_of(frame), said, file)
    texts = options.Texts()
    opts = _table_options(said, texts)
    file.fill(opts, texts)
    if descriptor > 0:
        opts.descriptor = descriptor
    with opened_vocabulary(file) as words:
        opts.vocabulary_descriptor = words
        return _open_said(call, path, opts, said, file, source, counts)


def _is_converted(call: Call, path: str, file: File, said: Described) -> bool:
    """Is the file read as CSV that is made of it? Workbooks are, and Parquet files whose
    declaration says so: the command knows no other way, and a file has one ledger."""
    if not _convert.is_foreign(path):
        return False
    if not _arrow.is_parquet(path) or file.format in ("csv", "triplets"):
        return True
    if said.declaration is None:
        return False
    d = started("tacit_declaration_summary")
    call.do(lib.tacit_declaration_summarize, said.declaration, d)
    return d.format in (lib.TACIT_FORMAT_CSV, lib.TACIT_FORMAT_TRIPLETS)


def converted(path: str, descriptor: int, header_only: bool) -> BinaryIO:
    """An open file of another format as CSV, in memory."""
    rows = _convert.nameless()
    with os.fdopen(os.dup(descriptor), "rb") as opened:
        opened.seek(0)
        try:
            _convert.convert(path, opened, rows, rows=not header_only,
                             say=lambda sentence: warnings.warn(sentence, stacklevel=2))
        except _convert.ConvertError as error:
            raise FormatError(str(error)) from None
    return rows


def _open_converted(call: Call, path: str, file: File, said: Described, source: Source,
                    counts: bool, header_only: bool) -> Table:
    rows = converted(path, source.descriptor, header_only)
    texts = options.Texts()
    opts = _table_options(said, texts)
    file.fill(opts, texts)
    if opts.format == lib.TACIT_FORMAT_AUTO and said.declaration is None:
        opts.format = lib.TACIT_FORMAT_CSV
    opts.descriptor = rows.fileno()
    with opened_vocabulary(file) as words:
        opts.vocabulary_descriptor = words
        table = _open_said(call, path, opts, said, file, source, counts)
    weakref.finalize(table, rows.close)
    return table


def _open_said(call: Call, path: str, opts: Any, said: Described, file: File,
               source: Optional[Source], counts: bool) -> Table:
    if counts and opts.format == lib.TACIT_FORMAT_AUTO and said.declaration is None:
        opts.format = _format_of_counts(call, path, opts, said, file)
    paths = file.paths()
    if len(paths) > 1:
        kept = [ffi.new("char[]", os.fsencode(one)) for one in paths]
        opened = [] if source is None else source.descriptors
        numbers = ffi.new("int[]", opened) if opened else ffi.NULL
        opts.descriptor, opts.descriptors = 0, numbers
        handle = call.make("tacit_data", lib.tacit_data_open_files,
                           ffi.new("char *[]", kept), len(kept), opts)
    else:
        handle = call.make("tacit_data", lib.tacit_data_open, os.fsencode(path), opts)
    table = Table(handle, None, 0, [said.declaration, source])
    table.names = table.used()
    table.columns = len(table.names)
    return table


def _format_of_counts(call: Call, path: str, wanted: Any, said: Described, file: File) -> Any:
    """Is a CSV file of counts a list of entries, by its header? Two or three columns that nobody
    declared to be a table are more likely one: ids must not be taken for counts and paid for."""
    plain = path.lower().removesuffix(".gz")
    if not plain.endswith((".csv", ".tsv", ".tab")):
        return lib.TACIT_FORMAT_AUTO
    texts = options.Texts()
    opts = started("tacit_data_opts")
    file.fill(opts, texts)
    opts.shape_rows = opts.shape_columns = 0
    opts.vocabulary = ffi.NULL
    opts.format = lib.TACIT_FORMAT_CSV if plain.endswith(".csv") else lib.TACIT_FORMAT_TSV
    opts.descriptor = wanted.descriptor
    names = Table(call.make("tacit_data", lib.tacit_data_open, os.fsencode(path), opts), None, 0,
                  None).used()
    if wanted.descriptor > 0:
        os.lseek(wanted.descriptor, 0, os.SEEK_SET)
    if plain.endswith(".csv") and {"row", "col", "count"} <= {name.lower() for name in names}:
        return lib.TACIT_FORMAT_TRIPLETS
    told = said.columns is not None or file.shape is not None or file.vocabulary is not None
    if len(names) in (2, 3) and not told:
        refuse(f"{path} has {len(names)} columns of counts: if every line is one entry, say what "
               "its columns are (tacitdp.File with row_column, col_column, count_column); if it "
               "is a table, say its format")
    return lib.TACIT_FORMAT_AUTO
