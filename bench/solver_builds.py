#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plain subspace solvers of two builds of the command, in turns, one thread: CPU time of the first
over the second, and whether both wrote the same model.

    python3 bench/solver_builds.py FIRST SECOND [RUNS]"""
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

FIRST, SECOND = sys.argv[1:3]
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
UNION = ["--columns", "50", "-k", "5", "-q", "4", "--noise", "0.02"]
CASES = [("tsc", "100,000 x 50 near 5 subspaces", 100000, True),
         ("ssc", "5,000 x 50 near 5 subspaces", 5000, True),
         ("tsc", "20,000 x 50 without structure", 20000, False),
         ("ssc", "2,000 x 50 without structure", 2000, False)]


def run(command, solver, path, out):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([command, "subspace", path, "-k", "5", "-q", "4", "--not-private", "--solver",
                    solver, "--radius", "2", "--threads", "1", "--quiet", "-o", out], check=True,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


with tempfile.TemporaryDirectory() as folder:
    rows, one, two = (str(pathlib.Path(folder) / name) for name in ("x.npy", "a.json", "b.json"))
    for solver, what, n, near in CASES:
        ratios, same = [], 0
        for r in range(RUNS):
            if near:
                subprocess.run([SECOND, "generate", "subspaces", "--rows", str(n), *UNION, "--seed",
                                str(r + 1), "-o", rows], check=True)
            else:
                np.save(rows, np.random.default_rng(r).normal(size=(n, 50)) / 8)
            first = run(FIRST, solver, rows, one)
            second = run(SECOND, solver, rows, two)
            ratios.append(first / second)
            same += pathlib.Path(one).read_bytes() == pathlib.Path(two).read_bytes()
        print(f"{solver}, {what}: {np.median(ratios):.2f} times as fast (of {RUNS} sets the least "
              f"{min(ratios):.2f}, the most {max(ratios):.2f}), the same model in {same} of {RUNS}",
              flush=True)
