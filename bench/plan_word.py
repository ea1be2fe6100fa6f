#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Does a plan keep its word? For configurations on real sets: the verdict of `tacit plan`, which
sees n, d, k, epsilon, delta and the bounds, beside the outcome of runs on the rows, judged by the
same thresholds: the median cost of some runs over that of the plain solver, and the part of its
gain over the trivial answer that is kept. Prints every configuration and how many agree.

Usage: bench/plan_word.py TACIT --data FOLDER [--tables FOLDER] [--runs 5] [--only WORD]
FOLDER holds NPY files (bench/recipes.py); TABLES counts as row,col,count (bench/cocluster_sets.py).
Needs Debian's python3-numpy and python3-sklearn. Sets in capitals took no part in choosing the
made-up rows."""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import numpy as np

from recipes import load
from subspace_sets import faces

# family, set, rows (0: all), epsilon, delta
CONFIGURATIONS = [("kmeans", name, rows, epsilon, delta) for name, rows, budgets in [
    ("s1", 0, [(.05, 1e-6), (.1, 0), (.2, 1e-6), (1, 1e-6)]),
    ("birch2", 0, [(.05, 1e-6), (1, 0)]),
    ("birch2", 10000, [(.2, 1e-6)]),
    ("adult", 0, [(.05, 1e-6)]),
    ("adult", 3000, [(.1, 1e-6), (.5, 0)]),
    ("lifesci", 0, [(.1, 1e-6)]),
    ("lifesci", 2000, [(.1, 0), (1, 1e-6)]),
    ("diabetes", 0, [(.1, 0)]),
    ("diabetes", 5000, [(.1, 1e-6), (1, 0)]),
    ("mnist", 5000, [(.2, 1e-6), (1, 1e-6), (4, 1e-6), (1, 0)]),
    ("LETTER", 0, [(.1, 1e-6), (.5, 1e-6), (4, 1e-6), (1, 0)]),
    ("GAS", 0, [(.05, 1e-6)]),
    ("GAS", 4000, [(.2, 0)]),
] for epsilon, delta in budgets]
CONFIGURATIONS += [("subspace", "pooled", 5000, .3, 1e-6), ("subspace", "pooled", 5000, 4, 1e-6),
                   ("subspace", "faces", 0, 1, 1e-6), ("subspace", "faces", 0, 4, 1e-6)]
CONFIGURATIONS += [("cocluster row", "classic3", 0, 4, 1e-6), ("cocluster row", "tr41", 0, 1, 1e-6),
                   ("cocluster row", "ml100k", 0, 1, 1e-6),
                   ("cocluster entry", "classic3", 0, 1, 0),
                   ("cocluster entry", "cstr", 0, .2, 0), ("cocluster entry", "hitech", 0, 4, 0),
                   ("cocluster entry", "ml100k", 0, 1, 0)]
CLASSES = {"classic3": 3, "cstr": 4, "tr41": 10, "hitech": 6, "ml100k": 6}


def judge(family, ratio, kept):
    """The thresholds of tacit.h."""
    if family.startswith("cocluster"):
        return "useless" if kept < .1 else "rough" if kept < .5 else "usable"
    if family == "subspace":
        return "useless" if kept < .25 else "rough" if kept < .75 else "usable"
    if ratio > 4 or kept < .25:
        return "useless"
    return "usable" if ratio <= 1.25 and kept >= .5 else "rough"


def pooled_digits(folder):
    """MNIST, means of 2 x 2 pixels: rows of 196 numbers of length 1 at most."""
    x = np.load(folder / "mnist_x.npy").reshape(-1, 14, 2, 14, 2).mean((2, 4)).reshape(-1, 196)
    return x / 255 / 14


def ratings(folder, path):
    x = np.load(folder / "ml100k_x.npy")
    row, column = np.nonzero(x)
    np.savetxt(path, np.column_stack([row, column, x[row, column]]), "%d", ",",
               header="row,col,count", comments="")


class Case:
    """The files and the options of one set: of the run, of the plan, of an evaluation."""

    def __init__(self, a, family, name, rows, where):
        known = name.lower()
        if family == "kmeans":
            s = load(known, a.data)
            x, self.shape = s.x, ["-k", str(s.k), *s.domain]
        elif family == "subspace":
            x, k, q = ((pooled_digits(a.data), 10, 6) if name == "pooled"
                       else (faces(a.data, 1).x, 5, 9))
            self.shape = ["-k", str(k), "-q", str(q), "--radius", "1"]
        if family.startswith("cocluster"):
            self.path = where / f"{known}.csv" if known == "ml100k" else a.tables / f"{known}.csv"
            if known == "ml100k":
                ratings(a.data, self.path)
            t = np.loadtxt(self.path, delimiter=",", skiprows=1, usecols=(0, 1), dtype=int)
            n, d = t.max(0) + 1
            if known != "ml100k":
                n = sum(1 for _ in open(a.tables / f"{known}_labels.csv")) - 1
            k = str(CLASSES[known])
            self.reading = ["--format", "triplets", "--shape", f"{n}x{d}"]
            self.shape = [*self.reading, "--rows", k, "--cols", k, "--unit", family.split()[1]]
            self.plan = [f"{v}" for v in self.shape if v not in ("--format", "triplets")]
            self.size = f"{n} x {d}, k {k}"
            return
        if rows:
            x = x[np.random.default_rng(1).permutation(len(x))[:rows]]
        self.path = where / f"{known}-{rows}.npy"
        np.save(self.path, x.astype(np.float32))
        self.reading = []
        self.plan = [*self.shape, "--dimensions", str(x.shape[1]), "--rows-about", str(len(x))]
        self.size = f"{len(x)} x {x.shape[1]}, k {self.shape[1]}"


def call(argv):
    done = subprocess.run([str(v) for v in argv], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, argv))}: {done.stderr}")
    return json.loads(done.stdout) if done.stdout else None


def outcome(a, family, case, budget, where, plain):
    """Medians over the runs of cost / plain and of the gain kept. plain: kept between calls."""
    ratio, kept = [], []
    for run in range(a.runs):
        model = where / "model.json"
        model.unlink(missing_ok=True)
        call([a.tacit, family.split()[0], case.path, *case.shape, *budget, "--quiet", "-o", model])
        first = case.path not in plain
        e = call([a.tacit, "evaluate", model, case.path, *case.reading, "--json",
                  *(["--restarts", "5"] if first else [])])
        if first:
            plain[case.path] = e["plain_cost"]
        cost, one = e.get("cost"), e.get("one_mean_cost", e.get("one_subspace_cost"))
        if family.startswith("cocluster"):
            cost, one = 1 - e["tau_rows"], 1.0
        best = plain[case.path]
        ratio.append(cost / best)
        kept.append((one - cost) / (one - best))
    return statistics.median(ratio), statistics.median(kept)


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path, required=True)
    p.add_argument("--tables", type=pathlib.Path)
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--only", default="", help="lines that hold this word")
    a = p.parse_args()
    right, all_of_them, plain, cases = 0, 0, {}, {}
    print(f"{'family':16} {'set':9} {'rows x columns':20} {'epsilon':>7} {'delta':>6}   "
          f"{'plan':8} {'cost kept':14} {'outcome':8} {'cost kept':14}")
    with tempfile.TemporaryDirectory() as folder:
        where = pathlib.Path(folder)
        for family, name, rows, epsilon, delta in CONFIGURATIONS:
            if a.only not in f"{family} {name} {rows}":
                continue
            if family.startswith("cocluster") and a.tables is None:
                continue
            key = family, name, rows
            if key not in cases:
                cases[key] = Case(a, family, name, rows, where)
            case = cases[key]
            budget = ["--epsilon", f"{epsilon:g}"] + (["--delta", f"{delta:g}"] if delta else [])
            ratio, kept = outcome(a, family, case, budget, where, plain)
            plan = call([a.tacit, "plan", family.split()[0], *case.plan, *budget, "--json",
                         "--quiet"])
            seen = judge(family, ratio, kept)
            trial = next(t for t in plan["trials"] if t["rows"] == "overlapping")
            good = seen == plan["verdict"]
            right, all_of_them = right + good, all_of_them + 1
            told = lambda c, g: f"{'' if c is None else format(c, '.3g')} {g:.2f}"
            print(f"{family:16} {name:9} {case.size:20} {epsilon:7g} {delta:6g}   "
                  f"{plan['verdict']:8} {told(trial['cost'], trial['kept']):14} {seen:8} "
                  f"{told(ratio, kept):14} {'' if good else 'WRONG'}", flush=True)
    print(f"\nverdicts that agree with the outcome: {right} of {all_of_them}")


main()
