# SPDX-License-Identifier: Apache-2.0
"""Parquet files and Excel workbooks as CSV, for the command. Which columns there are follows from
the schema or the first line; every cell follows from its own value. Numbers keep every digit, dates
are ISO, what is missing is empty."""

from __future__ import annotations

import csv
import datetime
import io
import os
import tempfile
import warnings
from typing import Any, BinaryIO, Callable, Iterable, Iterator, Sequence

PARQUET = (".parquet", ".pq")
EXCEL = (".xlsx", ".xlsm")
_EXCEL_ERRORS = {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!",
                 "#CALC!", "#GETTING_DATA"}
_NO_CELLS = ("STRUCT", "MAP", "UNION", "BLOB", "BIT", "INTERVAL", "TIME", "GEOMETRY", "VARIANT")
_NO_MARK = "\ufffd".encode()  # for NUL, which would make the CSV one that cannot be read

Say = Callable[[str], object]


class ConvertError(Exception):
    """The file cannot be converted, whatever its rows hold."""


def is_foreign(path: str) -> bool:
    """Does the name end as those files do that are converted here?"""
    return path.lower().endswith(PARQUET + EXCEL)


def nameless() -> BinaryIO:
    """A file without a name, in memory where the system has such. /proc shows it, but nobody may
    open it there: its rows have a ledger that could not be found."""
    file = (open(os.memfd_create("rows"), "w+b") if hasattr(os, "memfd_create")
            else tempfile.TemporaryFile())
    os.fchmod(file.fileno(), 0)
    return file


def convert(path: str, source: BinaryIO, out: BinaryIO, *, rows: bool, say: Say) -> bool:
    """Writes an open file to `out` as CSV, which is then at its beginning; the header alone unless
    `rows`.

    A file that breaks off among its rows does so in the CSV as well, by a quote that is never
    closed: the command then refuses it as it refuses any broken file, with its budget spent if the
    data set has a ledger. So nothing about rows is said here, but returned: whether all were read.
    """
    said: list[str] = []
    whole = True
    open_rows = _open_parquet if path.lower().endswith(PARQUET) else _open_excel
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl's show cells, with what they hold
        names, parts = open_rows(path, source, said.append)
        out.write(_lines([names]))
        try:
            for part in parts if rows else ():
                out.write(part.replace(b"\0", _NO_MARK))
        except (KeyboardInterrupt, MemoryError, GeneratorExit):
            raise
        except Exception:
            whole = False
            out.write(b'"')
    for sentence in said:
        say(sentence)
    out.flush()
    out.seek(0)
    return whole


def _lines(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def cell(value: Any) -> str:
    """A value as CSV has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else \
            value.replace(tzinfo=None).isoformat(sep=" ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return str(value)


def _left_out(path: str, names: list[str], say: Say) -> None:
    from tacitdp.release import plain

    if names:
        say(f"{path}: left out, since their values are no single cells: "
            + ", ".join(plain(name) for name in names))


# ---- Parquet ----

def _open_parquet(path: str, source: BinaryIO, say: Say) -> tuple[list[str], Iterator[bytes]]:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return _by_duckdb(path, source, say)
    return _by_pyarrow(path, source, say)


def _by_pyarrow(path: str, source: BinaryIO, say: Say) -> tuple[list[str], Iterator[bytes]]:
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(source)
        schema = file.schema_arrow
    except (pyarrow.ArrowException, OSError):
        raise ConvertError(f"{path}: is not a Parquet file, or a damaged one") from None
    kinds = [_arrow_kind(field.type) for field in schema]
    used = [i for i, kind in enumerate(kinds) if kind is not None]
    _left_out(path, [schema.names[i] for i in range(len(kinds)) if i not in used], say)
    wanted = pyarrow.schema([(str(i), kinds[i]) for i in used])

    def parts() -> Iterator[bytes]:
        import pyarrow.csv

        how = pyarrow.csv.WriteOptions(include_header=False)
        for batch in file.iter_batches():
            columns = [batch.column(i).cast(kinds[i], safe=False) for i in used]
            sink = io.BytesIO()
            pyarrow.csv.write_csv(pyarrow.record_batch(columns, schema=wanted), sink, how)
            yield sink.getvalue()

    return [schema.names[i] for i in used], parts()


def _arrow_kind(kind: Any) -> Any:
    """The type that a column is written as, without loss; None: its values are no single cells."""
    from pyarrow import bool_, date32, float64, string, types

    if types.is_dictionary(kind):
        return _arrow_kind(kind.value_type)
    if types.is_floating(kind):
        return float64()  # a float's own digits are those of its double
    if types.is_integer(kind):
        return kind
    if types.is_boolean(kind):
        return bool_()
    if types.is_date(kind) or types.is_timestamp(kind):
        return date32()  # a date is a day
    if (types.is_string(kind) or types.is_large_string(kind) or types.is_decimal(kind)
            or types.is_null(kind) or getattr(types, "is_string_view", lambda _: False)(kind)):
        return string()
    return None


def _by_duckdb(path: str, source: BinaryIO, say: Say) -> tuple[list[str], Iterator[bytes]]:
    try:
        import duckdb
    except ImportError:
        raise ConvertError(f"{path}: is a Parquet file, which takes pyarrow or duckdb to read: "
                           "pip install pyarrow") from None
    # by the descriptor: in a name, marks such as * would stand for other files
    rows = f"read_parquet('/proc/self/fd/{source.fileno()}')"
    connection = duckdb.connect()
    try:
        columns = connection.execute(f"describe select * from {rows}").fetchall()
    except duckdb.Error:
        raise ConvertError(f"{path}: is not a Parquet file, or a damaged one") from None
    single = [not str(kind).startswith(_NO_CELLS) or str(kind).startswith("TIMESTAMP")
              for _, kind, *_ in columns]
    single = [yes and not str(kind).endswith("]") for yes, (_, kind, *_) in zip(single, columns)]
    _left_out(path, [name for (name, *_), yes in zip(columns, single) if not yes], say)
    used = [i for i, yes in enumerate(single) if yes]

    def parts() -> Iterator[bytes]:
        connection.execute(f"select * from {rows}")
        while True:
            some = connection.fetchmany(10000)
            if not some:
                return
            yield _lines([cell(row[i]) for i in used] for row in some)

    return [columns[i][0] for i in used], parts()


# ---- Excel ----

def _open_excel(path: str, source: BinaryIO, say: Say) -> tuple[list[str], Iterator[bytes]]:
    """The first sheet; its first line is the header. A line without any value is none."""
    try:
        import openpyxl
    except ImportError:
        raise ConvertError(f"{path}: is an Excel workbook, which takes openpyxl to read: "
                           "pip install openpyxl") from None
    try:
        book = openpyxl.load_workbook(source, read_only=True, data_only=True)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # as the writer states them, they are often wrong
        lines = sheet.iter_rows(values_only=True)
        header = [cell(name) for name in next(lines, ())]
    except Exception:  # whatever a damaged archive leads to
        raise ConvertError(f"{path}: is not an Excel workbook, or a damaged one") from None
    while header and not header[-1]:
        header.pop()
    if len(book.worksheets) > 1:
        from tacitdp.release import plain

        say(f"{path}: the first of {len(book.worksheets)} sheets is used, {plain(sheet.title)}")

    def parts() -> Iterator[bytes]:
        width = len(header)
        for line in lines:
            values = [*line[:width], *[None] * (width - len(line))]
            if any(value is not None for value in values):
                yield _lines([[_excel_cell(value) for value in values]])

    return header, parts()


def _excel_cell(value: Any) -> str:
    """Excel has no whole numbers: 3.0 is 3. A formula that failed has no value."""
    if isinstance(value, str):
        return "" if value in _EXCEL_ERRORS else value
    if isinstance(value, datetime.time):
        return ""
    return cell(value)
