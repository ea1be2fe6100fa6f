# SPDX-License-Identifier: Apache-2.0
"""Tests of the command: run.py BINARY
golden|bytes|bad-input|combine|signals|shape|audit|declare|tables|several|terminal|documents|manual|
earlier [--update] [--only TEXT]"""
import os
import signal
import sys

import audit
import bad_input
import combine
import completion
import converted
import declare
import documents
import earlier
import golden
import harness
import manual
import owner
import pages
import several
import shape
import signals
import tables
import terminal
import tutorials

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def main(binary, suite, *options):
    tap = harness.Tap()
    with harness.Folder(binary) as folder:
        if folder.run(["--version"]).returncode != 0:
            print("Bail out! the command does not start")
            return 1
    only = options[options.index("--only") + 1] if "--only" in options else ""
    if suite in ("golden", "bytes"):  # bytes: what is kept in golden/ alone, for slow machines
        tap.each([name for name in golden.GOLDEN if only in name],
                 golden.work(binary, "--update" in options))
        tap.each([name for name in pages.PAGES if only in "page-" + name],
                 pages.work(binary, "--update" in options))
    if suite == "golden":
        tap.each(golden.COMMANDS, golden.examples(binary))
        tap.each(["man/tacit.1.scd", "README.md", "docs/using.md"],
                 golden.told_examples(binary, ROOT))
        tap.each(golden.JSON, golden.documents(binary))
        tap.each(["kmeans", "kmedian"], golden.chosen(binary))
        tap.each(golden.FAMILIES, golden.limits(binary))
        tap.each([binary], golden.same_for_any_threads)
        tap.each(["kmeans", "kmeans of many columns", "subspace", "cocluster"],
                 golden.same_on_any_processor(binary))
        tap.each([binary], golden.hides_size)
        tap.each([binary], golden.chosen_without_groups)
        tap.each(owner.CASES, owner.work(binary))
        tap.each(converted.CASES, converted.work(binary))
    elif suite == "bytes":
        pass
    elif suite == "bad-input":
        cases = [case for case in bad_input.CASES if only in case.name]
        tap.each(cases, bad_input.work(binary))
        tap.check(only or len(cases) >= 200, "at least 200 kinds of bad input")
    elif suite == "combine":
        every = [*combine.lines(binary), *combine.flat_lines(binary), *combine.block_lines(binary)]
        # Each takes five starts, which sanitizers make expensive, and most lines of code are met by
        # a third of them.
        step = 3 if float(os.environ.get("TACIT_TEST_MULT") or 1) < 1 else 1
        tap.each([argv for argv in every[::step] if only in " ".join(argv)], combine.work(binary))
    elif suite == "signals":
        tasks = [lambda: signals.locked(binary), lambda: signals.interrupt(binary, signal.SIGINT),
                 lambda: signals.interrupt(binary, signal.SIGTERM), lambda: signals.kill(binary),
                 lambda: signals.waiting(binary),
                 lambda: signals.parts(binary),
                 lambda: signals.race(binary), lambda: signals.deaf(binary),
                 lambda: signals.bar(binary)]
        tap.each(tasks, lambda task: task())
    elif suite == "audit":
        tap.each([case for case in audit.CASES if only in case.__name__],
                 audit.work(binary, os.path.abspath(ROOT)))
    elif suite == "declare":
        tap.each([case for case in declare.CASES if only in case.__name__], declare.work(binary))
    elif suite == "tables":
        tap.each([case for case in tables.CASES if only in case.__name__], declare.work(binary))
    elif suite == "terminal":
        tap.each([case for case in terminal.CASES if only in case.__name__], terminal.work(binary))
    elif suite == "several":
        tap.each([case for case in several.CASES if only in case.__name__], declare.work(binary))
    elif suite == "documents":
        tap.each(["kmeans", "kmedian", "subspace", "cocluster"], documents.methods(binary, ROOT))
        tap.each([binary], lambda command: documents.picture(command, ROOT))
        tap.each([page for page in tutorials.PAGES if only in page],
                 tutorials.follow(binary, ROOT))
        tap.each([ROOT], tutorials.every_guide)
        tap.each([ROOT], documents.c_blocks)
    elif suite == "manual":
        tap.each(manual.NAMES, manual.options(binary, ROOT))
        tap.each([ROOT], manual.pages_are_installed)
        tap.each(["tacit", "mpi", *manual.NAMES], manual.formatted(binary, ROOT))
        tap.each([name for name in manual.NAMES if only in name], manual.examples(binary, ROOT))
        tap.each([binary], manual.versions)
    elif suite == "earlier":
        earlier.work(tap, binary, only)
    elif suite == "shape":
        tap.each([lambda: shape.includes(ROOT), lambda: shape.manual(ROOT, binary),
                  lambda: shape.header(ROOT, binary), lambda: completion.bash(binary),
                  lambda: completion.syntax(binary)], lambda task: task())
    else:
        print(__doc__)
        return 1
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
