# SPDX-License-Identifier: Apache-2.0
"""Interrupted and killed runs: never half a release, never a release that the ledger does not
know."""
import json
import os
import pty
import random
import signal
import sqlite3
import subprocess
import time

import harness

KILLS = 50
ROUNDS = ["kmeans", "people.npy", "--method", "lloyd", "--bounds", "0:1", "--rounds", "20", "-o",
          "out.json"]
RUN = [*ROUNDS, "-k", "200", "--epsilon", "1", "-q"]
LONG = [*ROUNDS, "-k", "10000", "--epsilon", "100", "--threads", "1"]


def make(folder, rows):
    folder.run(["generate", "mixture", "--rows", str(rows), "--columns", "16", "--clusters", "50",
                "-o", "people.npy"], check=0)
    folder.run(["ledger", "init", "people.npy", "--epsilon", "1000", "--bounds", "0:1"], check=0)


def interrupt(binary, number):
    """A long run, interrupted after a while."""
    wrong = []
    with harness.Folder(binary) as folder:
        make(folder, 100000)
        before = folder.spent("people.npy")["spent"]
        run = folder.start(LONG)
        time.sleep(1.5)
        with open(f"/proc/{run.pid}/coredump_filter", encoding="ascii") as mappings:
            if int(mappings.read(), 16) != 0:
                wrong.append("a core that is piped to a crash reporter would hold rows")
        run.send_signal(number)
        out, error = run.communicate(timeout=harness.PATIENCE)
        text, spent = error.decode(), folder.spent("people.npy")["spent"]
        if run.returncode != 130:
            wrong.append(f"exit code {run.returncode}")
        if out or os.path.exists(folder.name("out.json")):
            wrong.append("something was released")
        if "interrupted" not in text or ("stays spent" in text) != (spent > before):
            wrong.append(f"spent {before} -> {spent}, said: {text}")
        if set(folder.listing()) != {"people.npy", "people.npy.ledger"}:
            wrong.append(f"files left: {folder.listing()}")
    return f"signal {number} ends a long run", wrong


def parts(binary):
    """A plain solver that works for minutes on one part of the rows hears of it too."""
    wrong = []
    with harness.Folder(binary) as folder:
        folder.run(["generate", "subspaces", "--rows", "30000", "--columns", "8", "-o",
                    "union.npy"], check=0)
        run = folder.start(["subspace", "union.npy", "-k", "3", "-q", "3", "--method",
                            "sample-aggregate", "--solver", "ssc", "--parts", "3", "--epsilon",
                            "10", "--delta", "1e-6", "--radius", "1"])
        time.sleep(1)
        run.send_signal(signal.SIGTERM)
        try:
            run.wait(timeout=15)
        except subprocess.TimeoutExpired:
            wrong.append("goes on")
            run.kill()
        out, error = run.communicate()
        if run.returncode != 130 or out or b"interrupted" not in error:
            wrong.append(f"exit code {run.returncode}: {error}")
    return "interrupted in a solver of a part", wrong


def waiting(binary):
    """Ctrl-C while standard input has nothing, or not all, to say; and a signal that is ignored
    from the start."""
    wrong = []
    argv = ["kmeans", "-", "-k", "2", "--epsilon", "1", "--bounds", "0:1"]
    with harness.Folder(binary) as folder:
        for said in [b"", b"a,", b"a,b\n1,2\n", b"{"]:
            if said == b"{":
                argv = ["predict", "-", "rows.csv"]
            run = folder.start(argv, stdin=subprocess.PIPE)
            run.stdin.write(said)
            run.stdin.flush()
            time.sleep(0.5)
            run.send_signal(signal.SIGINT)
            start = time.monotonic()
            try:
                run.wait(timeout=10)
            except subprocess.TimeoutExpired:
                wrong.append(f"after {said!r}: goes on waiting")
                run.kill()
            out, error = run.communicate()
            if run.returncode != 130 or out or b"interrupted" not in error:
                wrong.append(f"after {said!r}: exit code {run.returncode} in "
                             f"{time.monotonic() - start:.1f} s: {error}")
        run = subprocess.Popen([folder.binary, "generate", "mixture", "--rows", "1000000"],
                               stdout=subprocess.PIPE, env=folder.environment(),
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=harness.PATIENCE)
        if run.returncode != 0 or out.count(b"\n") != 1000001:
            wrong.append("an ignored signal was not ignored")
    return "interrupted while waiting for standard input", wrong


def kill(binary):
    """SIGKILL at any moment: either no release, or a whole one that the ledger counts."""
    wrong, chance, released = [], random.Random(1), 0
    with harness.Folder(binary) as folder:
        make(folder, 20000)
        lengths = []
        for _ in range(3):
            start = time.monotonic()
            folder.run(RUN, check=0)
            lengths.append(time.monotonic() - start)
        length = min(lengths)
        for turn in range(KILLS):
            if os.path.exists(folder.name("out.json")):
                os.remove(folder.name("out.json"))
            before = folder.spent("people.npy")["runs"]
            run = folder.start(RUN)
            time.sleep(length * (chance.uniform(0, 1) if turn % 2 else chance.uniform(0.85, 1.1)))
            run.kill()
            run.communicate()
            after = folder.spent("people.npy")["runs"]
            if after - before not in (0, 1):
                wrong.append(f"turn {turn}: runs went from {before} to {after}")
            if os.path.exists(folder.name("out.json")):
                released += 1
                with open(folder.name("out.json"), encoding="utf-8") as file:
                    if len(json.load(file)) < 3 or after != before + 1:
                        wrong.append(f"turn {turn}: a release that is not whole or not in "
                                     "the ledger")
        folder.run(["ledger", "history", "people.npy"], check=0)
        for name in folder.listing():
            # A journal that never became valid stays until the next reservation: readers leave it
            # alone.
            if name not in ("people.npy", "people.npy.ledger", "people.npy.ledger-journal",
                            "out.json") and not name.startswith(".tacit-"):
                wrong.append(f"file left: {name}")
    return f"killed {KILLS} times ({released} releases)", wrong


def race(binary):
    """Sixteen runs at once on a ledger that has room for three."""
    with harness.Folder(binary) as folder:
        folder.run(["generate", "mixture", "-o", "people.csv"], check=0)
        folder.run(["ledger", "init", "people.csv", "--epsilon", "3.5", "--bounds", "0:1"], check=0)
        runs = [folder.start(["kmeans", "people.csv", "-k", "3", "--epsilon", "1", "--bounds",
                              "0:1"]) for _ in range(16)]
        codes = sorted((run.communicate(timeout=harness.PATIENCE), run.returncode)[1]
                       for run in runs)
    return ("sixteen runs at once, room for three", [] if codes == [0] * 3 + [75] * 13
            else [f"exit codes {codes}"])


def locked(binary):
    """A ledger that somebody else holds: the run waits, and Ctrl-C ends the wait."""
    wrong = []
    with harness.Folder(binary) as folder:
        folder.run(["generate", "mixture", "-o", "people.csv"], check=0)
        folder.run(["ledger", "init", "people.csv", "--epsilon", "3", "--bounds", "0:1"], check=0)
        base = sqlite3.connect(folder.name("people.csv.ledger"), isolation_level=None)
        base.execute("begin exclusive")
        argv = ["kmeans", "people.csv", "-k", "3", "--epsilon", "1", "--bounds", "0:1"]
        patient, stopped = folder.start(argv), folder.start(argv)
        time.sleep(1)
        stopped.send_signal(signal.SIGINT)
        start = time.monotonic()
        stopped.communicate(timeout=harness.PATIENCE)
        if stopped.returncode != 130 or time.monotonic() - start > 10:
            wrong.append(f"interrupted: exit code {stopped.returncode} after "
                         f"{time.monotonic() - start:.1f} s")
        _, error = patient.communicate(timeout=harness.PATIENCE)
        if patient.returncode != 76 or b"in use" not in error:
            wrong.append(f"locked: exit code {patient.returncode}: {error.decode()}")
        base.execute("rollback")
        base.close()
        if folder.spent("people.csv")["runs"] != 0:
            wrong.append("something was spent")
    return "a locked ledger", wrong


def deaf(binary):
    """Nobody reads standard output any more: the files are there all the same, and the run is
    counted."""
    wrong = []
    with harness.Folder(binary) as folder:
        folder.run(["generate", "counts", "-o", "table.csv"], check=0)
        folder.run(["ledger", "init", "table.csv", "--epsilon", "3", "--delta", "1e-3", "--shape",
                    "x1000"], check=0)
        mine, theirs = os.pipe()
        run = folder.start(["cocluster", "table.csv", "--rows", "2", "--cols", "2", "--epsilon",
                            "1", "--delta", "1e-6", "--shape", "x1000", "-o", "out.json",
                            "--picture", "out.svg"], stdout=theirs)
        os.close(mine)
        os.close(theirs)
        _, error = run.communicate(timeout=harness.PATIENCE)
        if run.returncode not in (-signal.SIGPIPE, 73):
            wrong.append(f"exit code {run.returncode}: {error.decode()}")
        if (folder.spent("table.csv")["runs"] != 1
            or not {"out.json", "out.svg"} <= set(folder.listing())):
            wrong.append(f"{folder.spent('table.csv')['runs']} runs are counted, files "
                         f"{sorted(folder.listing())}")
    return "standard output that nobody reads", wrong


def bar(binary):
    """The progress bar: on a terminal, not in a file."""
    wrong = []
    with harness.Folder(binary) as folder:
        try:
            mine, theirs = pty.openpty()
        except OSError:  # a bare container has none
            return "the progress bar # SKIP no terminal can be had here", []
        make(folder, 100000)
        run = folder.start(LONG, stdout=subprocess.DEVNULL, stderr=theirs, TERM="xterm")
        os.close(theirs)
        seen, start = b"", time.monotonic()
        while b"%" not in seen and time.monotonic() - start < 30:
            try:
                seen += os.read(mine, 4096)
            except OSError:
                break
        run.send_signal(signal.SIGINT)
        while True:
            try:
                more = os.read(mine, 4096)
            except OSError:
                break
            if not more:
                break
            seen += more
        run.communicate(timeout=harness.PATIENCE)
        os.close(mine)
        if b"\r[" not in seen or b"%" not in seen:
            wrong.append(f"no bar: {seen[:200]!r}")
        if b"\r\x1b[Ktacit" not in seen:
            wrong.append("the bar was not wiped before the last sentence")
    return "progress bar on a terminal", wrong
