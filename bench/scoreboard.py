#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every private k-means that can be run, beside ours: cost over the best plain k-means,
epsilon claimed and measured, processor time and memory as ratios to ours. Results are kept in a
JSON file: a second call adds what is missing.

Usage: scoreboard.py TACIT --data FOLDER [--peer NAME=PATH]... [--runs N] [--audit-runs N]
                     [--cache FILE] [--page FILE --picture FILE]
Peers: diffprivlib=. (installed), google=, dpm=, emmc=, fastlloyd=, feddp= the folder of their
repository.
The Python that runs this must have what they need, and numpy and scikit-learn. A peer that is not
named keeps what the file has. --runs 0 --audit-runs N only attacks."""
import argparse
import json
import os
import pathlib
import select
import socket
import subprocess
import sys
import tempfile
import time

import numpy as np

from recipes import load
from running import Failed, Tacit, child, cost, plain
from scoreboard_audit import audits, spent
from scoreboard_page import write_page
from scoreboard_peers import PEERS

SETS = ["s1", "digits", "adult", "letter", "gas", "lifesci"]
EPSILONS = [.1, .5, 1.0, 2.0]
OURS = {1e-6: ["auto", "lloyd", "sulq", "dplloyd", "grid", "sample-aggregate", "kvariates",
               "lsh-tree", "balcan"], 0.0: ["auto", "lloyd", "dplloyd"]}
THEIRS = {1e-6: ["google", "dpm", "fastlloyd", "emmc", "feddp", "feddp-public"],
          0.0: ["diffprivlib", "diffprivlib-true"]}
LIMIT = 30  # processor seconds a fit may take; ours by the clock


class Peer:
    """A process that has a peer loaded."""

    def __init__(self, name, path, k, delta, where, epsilon=None):
        self.socket = str(where / f"{name}.{time.monotonic_ns()}")
        self.process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("scoreboard_peers.py")), name,
             str(path), self.socket, str(k), repr(delta), *([repr(epsilon)] if epsilon else [])],
            stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1",
                                            "OPENBLAS_NUM_THREADS": "1"})
        while not os.path.exists(self.socket):
            if self.process.poll() is not None:
                raise Failed("it does not start")
            time.sleep(0.05)

    def used(self):
        """Its processor seconds so far."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            ticks = file.read().rsplit(") ", 1)[1].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def fit(self, file, epsilon):
        before = self.used()
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(self.socket)
            s.sendall(json.dumps({"file": str(file), "epsilon": epsilon}).encode() + b"\n")
            while not select.select([s], [], [], 0.5)[0]:
                if self.used() - before > LIMIT:
                    raise Failed(f"slow {self.used() - before:.3g}")
            answer = json.loads(s.makefile().readline() or '{"failed": "it ended"}')
        if "failed" in answer:
            raise Failed(answer["failed"])
        if not answer["centers"]:
            raise Failed("no centers")
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Board:
    """What was measured: cells by "what|set|method|epsilon|delta"."""

    def __init__(self, path):
        self.path = path
        self.cells = json.loads(path.read_text()) if path.exists() else {}

    def cell(self, *key):
        return self.cells.setdefault("|".join(str(k) for k in key), [])

    def save(self):
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.cells, indent=0))
        new.replace(self.path)


def wanted(board, what, name, method, delta, runs):
    """Epsilons of which a run is missing. A fit that was too slow once is not tried again."""
    if any(str(v).startswith("slow") for e in EPSILONS
           for v in board.cell("cost", name, method, e, delta)):
        return []
    return [e for e in EPSILONS if len(board.cell(what, name, method, e, delta)) < runs]


def ours(a, board, name, s, path, best, runs):
    tacit = Tacit(a.tacit, LIMIT)
    for delta, methods in OURS.items():
        for method in methods:
            for e in wanted(board, "cost", name, method, delta, runs):
                try:
                    c = tacit.kmeans(path, s.k, s.domain, e, delta, method)[0]
                    board.cell("cost", name, method, e, delta).append(cost(s.x, c) / best)
                except Failed as why:
                    board.cell("cost", name, method, e, delta).append(str(why))
            speed = board.cell("speed", name, method, 1.0, delta)
            if len(speed) < min(3, runs) and not isinstance(
                    board.cell("cost", name, method, 1.0, delta)[0], str):
                _, seconds, peak = child([a.tacit, "kmeans", path, "-k", str(s.k), *s.domain,
                                          "--epsilon", "1", *(["--delta", "1e-6"] if delta else []),
                                          "--method", method, "--threads", "1", "--json",
                                          "--quiet"])
                speed.append([seconds, peak])


def theirs(a, board, name, s, path, best, runs, where):
    for delta, methods in THEIRS.items():
        for method in methods:
            peer, missing = method.split("-")[0], wanted(board, "cost", name, method, delta, runs)
            if peer not in a.peers or not missing:
                continue
            share = 1 / spent(s.x.shape[1]) if method.endswith("-true") else 1
            with Peer(method if method in PEERS else peer, a.peers[peer], s.k, delta, where) as p:
                for e in missing:
                    cell = board.cell("cost", name, method, e, delta)
                    try:
                        got = p.fit(path, e * share)
                        cell.append(cost(s.x, np.array(got["centers"])) / best)
                        if e == 1.0:
                            board.cell("speed", name, method, 1.0, delta).append(
                                [got["seconds"], got["peak"]])
                    except Failed as why:
                        cell.append(str(why))
                        if str(why).startswith("slow"):  # and at the next epsilons too
                            break


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path, required=True)
    p.add_argument("--peer", action="append", default=[])
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--audit-runs", type=int, default=0)
    p.add_argument("--sets", nargs="+", default=SETS)
    p.add_argument("--cache", type=pathlib.Path, default=pathlib.Path("build/scoreboard.json"))
    p.add_argument("--page", type=pathlib.Path)
    p.add_argument("--picture", type=pathlib.Path)
    a = p.parse_args()
    a.peers = dict(v.split("=", 1) for v in a.peer)
    for name in sorted({name.split("-")[0] for name in PEERS} - set(a.peers)):
        print(f"{name}: no --peer {name}=PATH; it is not run")
    board = Board(a.cache)
    with tempfile.TemporaryDirectory() as folder:
        where = pathlib.Path(folder)
        for runs in range(1, a.runs + 1):
            for name in a.sets:
                s, path = load(name, a.data), where / f"{name}.npy"
                np.save(path, s.x)
                best = board.cell("plain", name)
                best or best.append(plain(s))
                ours(a, board, name, s, path, best[0], runs)
                board.save()
                theirs(a, board, name, s, path, best[0], runs, where)
                board.save()
            print(f"run {runs} of {a.runs}", flush=True)
        if a.audit_runs:
            audits(a, board, Peer, where)
    if a.page:
        write_page(board, a, SETS, EPSILONS, OURS, THEIRS)


main()
