# SPDX-License-Identifier: Apache-2.0
"""Whose rows they are: the ledger and the declaration of a data set. As for the command, a file
that has a ledger beside it spends from that one, whatever the caller names; the file is opened once
and the ledger is looked for beside the file that was opened."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import stat
from types import TracebackType
from typing import Any, Iterator, Optional

from tacitdp import _options as options
from tacitdp._call import Call
from tacitdp._errors import (ArgumentError, DeclaredError, LedgerError, OpenError, refuse,
                             refuse_type)
from tacitdp._library import ffi, lib, started, text_of
from tacitdp.files import File, as_file


@dataclasses.dataclass(frozen=True)
class Declared:
    """What a declaration says about whom a run protects. Options may only repeat it."""

    given: bool = False
    relation: str = "add-remove"
    unit_column: Optional[str] = None
    most_rows: Optional[int] = None
    has_domain: bool = False

    def neighbors(self, wanted: str) -> str:
        """"add-remove" is where parameters start, so it gives way to what was declared."""
        if not self.given or wanted == self.relation or wanted == "add-remove":
            return self.relation if self.given else wanted
        raise DeclaredError(f"neighbors={wanted!r} says otherwise than the declaration, which "
                            f"has {self.relation!r}; leave it out")

    def rows_per_person(self, wanted: Any) -> Any:
        if wanted is None or self.most_rows is None:
            return self.most_rows if wanted is None else wanted
        if wanted != self.most_rows:
            raise DeclaredError("max_rows_per_person says otherwise than the declaration, which "
                                f"has {self.most_rows}; leave it out")
        return wanted


class Source:
    """A data set on its way to the library: an open file or rows in memory, with the ledger that
    pays for it and what its owner declared. with_ledger False: its ledger is about to be made."""

    def __init__(self, call: Call, rows: Any, ledger: Any = None, schema: Any = None, *,
                 with_ledger: bool = True) -> None:
        self.call = call
        self.path: Optional[str] = None  # the first file
        self.paths: list[str] = []
        self.descriptor = -1
        self.descriptors: list[int] = []
        self.ledger: Any = None  # the library's handle
        self.ledger_path: Optional[str] = None
        self.declaration: Any = None
        rows = as_file(rows)
        if isinstance(rows, (str, os.PathLike)):
            self.paths = rows.paths() if isinstance(rows, File) else [os.fspath(rows)]
            self.path = self.paths[0]
        try:
            self._open(ledger, schema, with_ledger)
        except BaseException:
            self.close()
            raise

    def _open(self, ledger: Any, schema: Any, with_ledger: bool) -> None:
        for path in self.paths:
            try:
                self.descriptors.append(os.open(path,
                                                os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY))
            except (OSError, ValueError) as error:
                raise OpenError(f"{path}: cannot be opened: "
                                f"{getattr(error, 'strerror', None) or error}") from None
            self.descriptor = self.descriptors[0]
        if with_ledger:
            self.ledger_path = self._shared_ledger()
        if ledger is not None:
            named = ledger_path(ledger)
            if self.ledger_path is not None and not _same_file(self.ledger_path, named):
                raise LedgerError(f"this data set has a ledger of its own, {self.ledger_path}; "
                                  "leave ledger out")
            self.ledger_path = self.ledger_path or named
        if self.ledger_path is not None:
            self.ledger = self.call.make("tacit_ledger", lib.tacit_ledger_open,
                                         os.fsencode(self.ledger_path))
        self._declare(schema)

    def _shared_ledger(self) -> Optional[str]:
        """The ledger that all files share: rows with one and rows without are no data set."""
        found = [find_beside(path, descriptor, ".ledger")
                 for path, descriptor in zip(self.paths, self.descriptors)]
        for path, one in zip(self.paths[1:], found[1:]):
            first = found[0]
            if (one is None) != (first is None):
                has, lacks = (self.path, path) if one is None else (path, self.path)
                raise LedgerError(f"{has} has a ledger and {lacks} has none: they are no data set; "
                                  "name the files of one ledger, and no other")
            if one != first:
                raise LedgerError(f"{self.path} and {path} have two ledgers, and a data set has "
                                  "one; run on each of them")
        return found[0] if found else None

    def _schema_beside(self) -> Optional[str]:
        """The one schema that lies beside the files."""
        found: Optional[str] = None
        for path, descriptor in zip(self.paths, self.descriptors):
            one = find_beside(path, descriptor, ".schema.json")
            if one is not None and found is not None and not _same_file(one, found):
                refuse(f"there are two schemas, {found} and {one}, and a data set has one; remove "
                       "one, or name one by schema")
            found = found or one
        return found

    def _declare(self, schema: Any) -> None:
        """The declaration that holds: the ledger's, else the caller's, else the one that lies
        beside the file. Beside a ledger a schema may only repeat it."""
        given = None if schema is None else options.declaration_of(self.call, schema)
        if self.ledger is not None:
            self.declaration = self.call.make("tacit_declaration", lib.tacit_ledger_declaration,
                                              self.ledger)
            if given is not None:
                self.call.do(lib.tacit_declaration_compare, given, self.declaration)
        elif given is not None:
            self.declaration = given
        elif self.path is not None:
            beside = self._schema_beside()
            if beside is not None:
                self.declaration = options.declaration_of(self.call, beside)

    def summary(self) -> Declared:
        """What its owner declared about whom a run protects."""
        if self.declaration is None:
            return Declared()
        d = started("tacit_declaration_summary")
        self.call.do(lib.tacit_declaration_summarize, self.declaration, d)
        return Declared(True, ("add-remove", "replace", "entry")[d.neighbors],
                        text_of(d.unit_column) or None, d.max_rows_per_unit or None,
                        bool(d.has_bounds) or d.radius > 0)

    def check_owner(self, allowed: bool, what: str) -> None:
        """Refuses to look at rows without paying, on a data set with a ledger, unless its owner
        does."""
        if not options.flag("as_owner", allowed) and self.ledger is not None:
            raise DeclaredError(f"this data set has a ledger, and {what} answers exactly, for "
                                "whoever holds the rows: if you are the owner, say as_owner=True, "
                                "which the ledger's history will show")

    def as_owner(self, allowed: bool, what: str) -> None:
        """The same, and the ledger's history notes it, durably, before a row is read."""
        self.check_owner(allowed, what)
        if self.ledger is not None:
            self.call.do(lib.tacit_ledger_note_owner, self.ledger, what.encode())

    def close(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors, self.descriptor = [], -1
        if self.ledger is not None:
            ffi.release(self.ledger)  # now, not when it is collected: others may wait for it
            self.ledger = None

    def __enter__(self) -> Source:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()


def ledger_path(ledger: Any) -> str:
    """A ledger is held by its path, so that clones and forked processes open their own."""
    if not isinstance(ledger, (str, os.PathLike)):
        refuse_type("ledger must be a path or a tacitdp.Ledger, not " + options.kind_of(ledger))
    return str(os.fspath(ledger))


def find_beside(path: str, descriptor: int, ending: str) -> Optional[str]:
    """What lies beside a file: beside the name that was given, or beside the open file's own. Two
    ledgers are one too many: a link with a ledger of its own must not lead past the owner's."""
    typed = _look(path + ending)
    target = None
    real = _real_name(path, descriptor)
    if real is not None:
        target = _look(real + ending)
    if ending == ".ledger" and typed and target and not _same_file(typed, target):
        raise LedgerError(f"there is a ledger beside {path} and another beside the file that it "
                          f"leads to, {real}; name that file itself")
    if ending == ".ledger":  # what was found is what is opened, whatever becomes of a link
        found = target or typed
        return None if found is None else os.path.realpath(found)
    return typed or target


def _look(path: str) -> Optional[str]:
    """lstat: a dangling link is a ledger gone astray, not a data set without one."""
    try:
        os.lstat(path)
        return path
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == 36:  # ENAMETOOLONG: no such file can be
            return None
        raise LedgerError(f"whether there is {path} cannot be found out: {error.strerror}; "
                          "nothing was done") from None


def _real_name(path: str, descriptor: int) -> Optional[str]:
    """The name that an open file has now, without links; None: a pipe, which never had one."""
    opened = os.fstat(descriptor)
    if not stat.S_ISREG(opened.st_mode):
        return None
    try:
        name = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        name = os.path.realpath(path)
    try:
        there = os.stat(name)
    except OSError:
        there = None
    if there is not None and (there.st_dev, there.st_ino) == (opened.st_dev, opened.st_ino):
        return name
    if opened.st_nlink == 0:  # /proc shows what a run has open, and its ledger lies elsewhere
        raise LedgerError(f"{path} has no name of its own any more, so that whether it has a "
                          "ledger cannot be found out; name a file that has one, or hand its "
                          "lines over by a pipe")
    raise LedgerError(f"{path} was moved or replaced while it was opened, so that whether it has a "
                      "ledger cannot be found out; nothing was done")


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.abspath(one) == os.path.abspath(other)


@contextlib.contextmanager
def opened_vocabulary(file: File) -> Iterator[int]:
    """The vocabulary's descriptor; 0: there is none. Its lines are released as names of columns,
    so a data set must not pass for one."""
    if file.vocabulary is None:
        yield 0
        return
    path = os.fspath(file.vocabulary)
    if any(_same_file(path, data_path) for data_path in file.paths()):
        raise ArgumentError(f"the vocabulary {path} is a data set, whose lines would be released "
                            "as names of columns; list the names in a file of their own")
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        raise OpenError(f"{path}: cannot be opened: {error.strerror}") from None
    try:
        if find_beside(path, descriptor, ".ledger") is not None:
            raise ArgumentError(f"the vocabulary {path} is a data set with a ledger, whose lines "
                                "are nobody's to use so; name a file of its own")
        yield descriptor
    finally:
        os.close(descriptor)
