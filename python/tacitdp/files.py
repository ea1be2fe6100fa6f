# SPDX-License-Identifier: Apache-2.0
"""A file with what is said of how it is written, and several files that are one data set."""

from __future__ import annotations

import dataclasses
import glob
import os
from typing import Any, Optional, Sequence, Union

from tacitdp import _options as options
from tacitdp._errors import OpenError, refuse, refuse_type
from tacitdp._library import lib

COMPANIONS = (".ledger", ".ledger-journal", ".schema.json")  # what tacit puts beside data
FORMATS = {"auto": "TACIT_FORMAT_AUTO", "csv": "TACIT_FORMAT_CSV", "tsv": "TACIT_FORMAT_TSV",
           "npy": "TACIT_FORMAT_NPY", "mtx": "TACIT_FORMAT_MATRIX_MARKET",
           "triplets": "TACIT_FORMAT_TRIPLETS", "libsvm": "TACIT_FORMAT_LIBSVM"}


@dataclasses.dataclass(frozen=True)
class File:
    """A file of rows and how it is written, which is never guessed. Where nothing needs saying, a
    path will do, or a list of paths: several files are one data set, whatever their order, and so
    are all that a pattern matches ("part-*.csv").

    Parameters
    ----------
    path : str or path, or a list of them
        CSV, TSV, NPY, Matrix Market, triplets, LIBSVM, packed by gzip or not; Parquet where
        pyarrow or duckdb is installed, and Excel where openpyxl is: the first sheet.
    format : str
        "auto": by the ending.
    delimiter, decimal, thousands : str, optional
        Marks of CSV, TSV and triplets.
    skip_lines : int
        Lines before the header.
    na : list of str or str, optional
        More words that stand for a missing value.
    label_column, id_column : str, optional
        Columns to set aside.
    row_column, col_column, count_column : str, optional
        One entry a line: which columns are row, column and count.
    shape : (rows or None, columns), optional
        Of sparse files, where it is public.
    vocabulary : path, optional
        A text file with one column name a line.

    Examples
    --------
    >>> import tacitdp as td
    >>> rows = td.File("customers.csv", delimiter=";", decimal=",", skip_lines=1)
    """

    path: Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]
    format: str = "auto"
    delimiter: Optional[str] = None
    decimal: Optional[str] = None
    thousands: Optional[str] = None
    skip_lines: int = 0
    na: Union[str, Sequence[str], None] = None
    label_column: Optional[str] = None
    id_column: Optional[str] = None
    row_column: Optional[str] = None
    col_column: Optional[str] = None
    count_column: Optional[str] = None
    shape: Optional[tuple[Optional[int], int]] = None
    vocabulary: Union[str, "os.PathLike[str]", None] = None

    def __fspath__(self) -> str:
        return self.paths()[0]

    def paths(self) -> list[str]:
        """All files, patterns replaced by what they match. Ledgers and schemas are no data."""
        given = [self.path] if isinstance(self.path, (str, os.PathLike)) else list(self.path)
        found: list[str] = []
        for one in given:
            name = os.fspath(one)
            matches = sorted(match for match in glob.glob(name)
                             if not match.endswith(COMPANIONS)) if _is_pattern(name) else [name]
            if not matches:
                raise OpenError(f"no data file is called as the pattern {name} says")
            found += matches
        if not found:
            refuse("a list of files names none")
        return found

    def fill(self, opts: Any, texts: options.Texts) -> None:
        """What is said, in a struct of the library."""
        opts.format = options.word("format", self.format, FORMATS)
        for name in ("delimiter", "decimal", "thousands"):
            setattr(opts, name, _mark(name, getattr(self, name)))
        opts.skip_lines = options.whole("skip_lines", self.skip_lines, 0, 10000)
        opts.missing_words = texts.c(options.listed("na", self.na))
        for name in ("label_column", "id_column", "row_column", "col_column", "count_column"):
            value = getattr(self, name)
            setattr(opts, name, texts.c(None if value is None
                                        else options.some_text(name, value)))
        if opts.format == lib.TACIT_FORMAT_AUTO and any(
                (self.row_column, self.col_column, self.count_column)):
            opts.format = lib.TACIT_FORMAT_TRIPLETS
        if self.shape is not None:
            rows, columns = _shape(self.shape)
            opts.shape_rows, opts.shape_columns = rows, columns
        if self.vocabulary is not None:
            opts.vocabulary = texts.c(os.fspath(self.vocabulary))


def _is_pattern(name: str) -> bool:
    """A pattern, unless there is a file of that very name."""
    return any(mark in name for mark in "*?[") and not os.path.lexists(name)


def as_file(rows: Any) -> Any:
    """Several files as a File; whatever else it is stays so."""
    if isinstance(rows, str) and _is_pattern(rows):
        return File(rows)
    if isinstance(rows, (list, tuple)) and rows and all(
            isinstance(one, (str, os.PathLike)) for one in rows):
        return File(rows)
    return rows


def _mark(name: str, value: Any) -> bytes:
    if value is None:
        return b"\0"
    text = {"tab": "\t", "space": " "}.get(options.some_text(name, value), value)
    if len(text) != 1 or not text.isascii():
        refuse(f"{name} must be one mark, for example ';'")
    return bytes(text, "ascii")


def _shape(shape: Any) -> tuple[int, int]:
    try:
        rows, columns = shape
    except (TypeError, ValueError):
        rows, columns = refuse_type("shape must be (rows, columns), with None for rows that "
                                    "are not public")
    return (0 if rows is None else options.whole("shape", rows, 1, 10**12),
            options.whole("shape", columns, 1, 2**24))
