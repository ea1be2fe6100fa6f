# SPDX-License-Identifier: Apache-2.0
"""The command line: `python3 -m tacitdp` becomes the command `tacit`, with its exit codes and
signals. A Parquet file or an Excel workbook among the words is converted in memory first; the
command still gets its name, and so finds its ledger and its schema."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn, Optional, Sequence

from tacitdp._convert import ConvertError, convert, is_foreign, nameless

USAGE, FORMAT, SYSTEM, INTERRUPTED = 64, 65, 71, 130  # as the command's exit codes
HEADER_ONLY = ("plan", "declare", "ledger")  # commands that read no row


def executable() -> Optional[str]:
    """The command: as TACIT_COMMAND says, beside this file as wheels have it, in the build folder
    of a source tree, or where the shell finds it."""
    named = os.environ.get("TACIT_COMMAND")
    if named:
        return named
    here = Path(__file__).resolve().parent
    for place in (here / "tacit", here / "bin" / "tacit",
                  here.parent.parent / "build" / "src" / "cli" / "tacit"):
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    return shutil.which("tacit")


def main(argv: Sequence[str]) -> NoReturn:
    """Runs the command in the place of this process."""
    program = executable()
    if program is None:
        _fail("the command tacit is not here: install the wheel of tacit-dp, or set TACIT_COMMAND "
              "to its path", SYSTEM)
    try:
        words = _with_rows(program, list(argv))
    except ConvertError as error:
        _fail(str(error), FORMAT)
    except KeyboardInterrupt:
        _fail("interrupted; nothing was spent", INTERRUPTED)
    except MemoryError:
        _fail("out of memory; nothing was spent", SYSTEM)
    except OSError as error:  # a limit of the size of files
        _fail(f"the rows cannot be converted: {error.strerror}; nothing was spent", SYSTEM)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # ignored by Python, and that is inherited
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execv(program, ["tacit", *words])
    except OSError as error:
        _fail(f"{program} cannot be run: {error.strerror}", SYSTEM)


def _say(sentence: str) -> None:
    sys.stderr.write(f"tacitdp: {sentence}\n")


def _fail(sentence: str, code: int) -> NoReturn:
    _say(sentence)
    sys.exit(code)


def _with_rows(program: str, argv: list[str]) -> list[str]:
    """The words of the command line, with the rows of a converted file if there is one."""
    if not any(map(is_foreign, argv)):
        return argv
    path = data_file(argv, _options_of(program))
    if path is None:
        return argv
    try:
        source = open(path, "rb")
    except (OSError, ValueError):
        return argv  # the command says why it cannot be opened
    with source, nameless() as rows:
        quiet = any(word in ("-q", "--quiet") for word in argv)
        whole = convert(path, source, rows, rows=argv[0] not in HEADER_ONLY,
                        say=(lambda sentence: None) if quiet else _say)
        if not whole and not _ledgered(path, source.fileno()):
            _say(f"{path} cannot be read to its end; is it damaged?")
        # Both outlive this function: the name may lead to another file before the command opens it.
        kept = [os.dup(file.fileno()) for file in (rows, source)]
    for descriptor in kept:
        os.set_inheritable(descriptor, True)
    end = argv.index("--") if "--" in argv else len(argv)
    return [*argv[:end], "--converted", ",".join(map(str, kept)), *argv[end:]]


def _ledgered(path: str, descriptor: int) -> bool:
    """Then the command says what is wrong with rows, paid for."""
    from tacitdp._errors import TacitError
    from tacitdp._source import find_beside

    try:
        return find_beside(path, descriptor, ".ledger") is not None
    except TacitError:
        return True


def _options_of(program: str) -> list[dict[str, Any]]:
    """The command's own table of options."""
    try:
        shown = subprocess.run([program, "--tables"], capture_output=True, check=True).stdout
        options: list[dict[str, Any]] = json.loads(shown)["options"]
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError):
        return []
    return options


def data_file(argv: Sequence[str], options: Sequence[dict[str, Any]]) -> Optional[str]:
    """The word that names a file to convert, if the command reads rows; None: there is none.

    >>> table = [{"name": "converted", "value": "FD,FD", "letter": None, "uses": [
    ...              {"commands": ["kmeans"], "with_letter": []}]},
    ...          {"name": "output", "value": "PATH", "letter": "o", "uses": [
    ...              {"commands": ["kmeans"], "with_letter": ["kmeans"]}]}]
    >>> data_file(["kmeans", "-o", "a.parquet", "b.parquet"], table)
    'b.parquet'
    """
    if not argv:
        return None
    mine = [option for option in options
            if any(use == argv[0] or use.startswith(argv[0] + " ")
                   for one in option["uses"] for use in one["commands"])]
    long = {"--" + option["name"]: option["value"] is not None for option in mine}
    short = {"-" + option["letter"]: option["value"] is not None for option in mine
             if option["letter"]}
    words: list[str] = []
    rest = iter(argv[1:])
    for word in rest:
        if word == "--":
            words.extend(rest)
        elif word == "--converted" or word.startswith("--converted="):
            return None
        elif word.startswith("--"):
            if long.get(word, False):
                next(rest, None)
        elif word.startswith("-") and word != "-":
            if short.get(word, False):
                next(rest, None)
        else:
            words.append(word)
    if "--converted" not in long or (argv[0] == "ledger" and "init" not in words):
        return None
    return next((word for word in words if is_foreign(word)), None)
