# SPDX-License-Identifier: Apache-2.0
"""A file with what is said of how it is written."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Optional, Sequence, Union

from tacitdp import _options as options
from tacitdp._errors import refuse, refuse_type
from tacitdp._library import lib

FORMATS = {"auto": "TACIT_FORMAT_AUTO", "csv": "TACIT_FORMAT_CSV", "tsv": "TACIT_FORMAT_TSV",
           "npy": "TACIT_FORMAT_NPY", "mtx": "TACIT_FORMAT_MATRIX_MARKET",
           "triplets": "TACIT_FORMAT_TRIPLETS", "libsvm": "TACIT_FORMAT_LIBSVM"}


@dataclasses.dataclass(frozen=True)
class File:
    """A file of rows and how it is written, which is never guessed. Where nothing needs saying, a
    path will do.

    Parameters
    ----------
    path : str or path
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

    path: Union[str, "os.PathLike[str]"]
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
        return os.fspath(self.path)

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
