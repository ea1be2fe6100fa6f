#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of merit in one place: the tables of docs/results.md for every family, method auto, each
number the mean of some runs with its standard error in brackets.

  k-means, k-median   cost over that of plain k-means (k-median), which is the best of some starts
  subspaces           distance from the true subspaces, d_W with |UU' - VV'|, on fresh rows
  co-clustering       NMI of rows, placed by the released rule, with the known classes

Usage: bench/utility.py BUILD [--data FOLDER] [--tables FOLDER] [--quick] [--runs N] [--only FAMILY]
BUILD is a build folder with src/cli/tacit and bench/cocluster_utility. FOLDER holds NPY files such
as mnist_x.npy (bench/recipes.py), TABLES counts such as classic3.csv (bench/cocluster_sets.py);
sets whose file is missing are left out. --quick: 3 runs, and sets of at most 2 million numbers.
FAMILY: kmeans, kmedian, subspace, cocluster. Needs Debian's python3-numpy, python3-scipy,
python3-sklearn."""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from cocluster_sets import NAMES, Runs, mean_of
from recipes import load
from running import Failed, Tacit, cost, plain
from subspace_sets import SETS, Flats, draw, gap

MEANS = ["g100", "g20", "d3", "mnist", "letter", "gas", "adult", "s1", "birch2", "lifesci",
         "diabetes", "loose:100:8:16", "loose:1000:8:16", "unbalsyn:10", "nest:2:0.002"]
PURE = ["g:20000:8:16", "g:50000:16:32", "s1", "letter", "gas", "adult", "digits"]
MEDIANS = ["d3", "s1", "letter", "gas", "adult", "lifesci", "outl:0.01"]
QUICK = 2e6  # numbers in a set


def told(values):
    """1.019 (.002), or a dash."""
    v = np.asarray(values, float)
    if not len(v):
        return "-"
    error = v.std(ddof=1) / np.sqrt(len(v)) if len(v) > 1 else np.nan
    digits = 1 if v.mean() >= 10 else 2 if v.mean() >= 2 else 3
    return f"{v.mean():.{digits}f} ({error:.2g})".replace("(0.", "(.")


def table(title, head, lines):
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    for line in lines:
        print(f"| {' | '.join(line)} |", flush=True)


def sets_of(a, names):
    for name in names:
        try:
            s = load(name, a.data)
        except FileNotFoundError:
            print(f"<!-- {name}: left out, no file -->")
            continue
        if not a.quick or s.x.size <= QUICK:
            yield name, s


def size_of(s):
    return f"{len(s.x):,} x {s.x.shape[1]}, {s.k}"


def means(a, where):
    """The table of delta 1e-6, then that of delta 0."""
    tacit = Tacit(a.tacit, 900)

    def lines(names, delta, epsilons, methods):
        for name, s in sets_of(a, names):
            path, best = where / "x.npy", plain(s)
            np.save(path, s.x)
            line = [name, size_of(s)]
            for method in methods:
                for e in epsilons:
                    try:
                        line.append(told([cost(s.x, tacit.kmeans(path, s.k, s.domain, e, delta,
                                                                 method)[0]) / best
                                          for _ in range(a.runs)]))
                    except Failed as why:
                        line.append(f"- ({why})")
            yield line

    epsilons = [.1, .5, 1, 2]
    table(f"K-means: cost over plain k-means, delta 1e-6, {a.runs} runs",
          ["data", "rows x columns, k", *(f"epsilon {e:g}" for e in epsilons)],
          lines(MEANS, 1e-6, epsilons, ["auto"]))
    table(f"K-means, delta 0, epsilon 1: cost over plain k-means, {a.runs} runs",
          ["data", "rows x columns, k", "`auto`", "`lloyd`"], lines(PURE, 0.0, [1.0],
                                                                      ["auto", "lloyd"]))


def medians(a, where):
    def ratios(path, s, epsilon, best):
        for _ in range(a.runs):
            model = where / "model.json"
            model.unlink(missing_ok=True)
            subprocess.run([a.tacit, "kmedian", path, "-k", str(s.k), *s.domain, "--epsilon",
                            repr(epsilon), "--delta", "1e-6", "--quiet", "-o", model], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            e = json.loads(subprocess.run(
                [a.tacit, "evaluate", model, path, "--json", "--quiet",
                 *(["--restarts", "10"] if not best else [])], check=True,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
            if not best:
                best.append(e["plain_cost"])
            yield e["cost"] / best[0]

    def lines():
        for name, s in sets_of(a, MEDIANS):
            path, best = where / "x.npy", []
            np.save(path, s.x)
            yield [name, size_of(s), *(told(list(ratios(path, s, e, best))) for e in epsilons)]

    epsilons = [.1, .5, 1.0, 2.0]
    table(f"K-median: mean distance over that of plain k-median, delta 1e-6, {a.runs} runs",
          ["data", "rows x columns, k", *(f"epsilon {e:g}" for e in epsilons)], lines())


def subspaces(a, where):
    flats, epsilons = Flats(a.tacit, 900), [.1, .32, 1.0, 3.2, 10.0]

    def distances(which, epsilon, words):
        for run in range(a.runs):
            s = draw(a.tacit, which, run + 1, where)
            if words:
                yield gap(np.array(flats.run(s, where / "x.npy", ["--epsilon", repr(epsilon),
                                                                  *words])["subspaces"]), s.truth)
            else:
                yield gap(flats.private(s, where / "x.npy", epsilon, [])[0], s.truth)

    def lines():
        for which, o in SETS.items():
            name = (f"n {o['rows']}, d {o['columns']}, k {o['subspaces']}, "
                    f"q {o['dimension']}, noise {o['noise']}")
            yield [name, "replace, delta 1/(n ln n)",
                   *(told(list(distances(which, e, []))) for e in epsilons)]
            yield ["", "add-remove, delta 0",
                   *(told(list(distances(which, e, ["--neighbors", "add-remove"])))
                     for e in epsilons)]

    table(f"Subspaces: distance from the true ones, fresh rows each of {a.runs} runs",
          ["rows", "neighbors", *(f"epsilon {e:g}" for e in epsilons)], lines())


def blocks(a, where):
    if a.tables is None:
        print("<!-- co-clustering: left out, no --tables -->")
        return
    runs = Runs(a.build / "bench" / "cocluster_utility", a.tables, where / "runs.csv")
    names = runs.sets(NAMES[:2] if a.quick else NAMES)

    def lines():
        yield ["not private: Fast-tauCC", "",
               *(one(n, "fast-taucc", "entry", 1, 0, 10) for n in names)]
        for unit, delta, epsilons in (("entry", 0, (.1, .5, 1, 3)), ("row", 1e-6, (1, 2, 4))):
            for e in epsilons:
                yield [f"`{unit}`, delta {delta:g}", f"{e:g}",
                       *(one(n, "auto", unit, e, delta, 0) for n in names)]

    def one(name, method, unit, epsilon, delta, rounds):
        found = mean_of(runs.cell(name, method, unit, epsilon, delta, a.runs, rounds=rounds))
        return "-" if found is None else f"{found[0]:.3f} ({found[1]:.2g})".replace("(0.", "(.")

    table(f"Co-clustering: NMI of rows with the known classes, {a.runs} runs",
          ["unit", "epsilon", *names], lines())


FAMILIES = {"kmeans": means, "kmedian": medians, "subspace": subspaces, "cocluster": blocks}


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("build", type=pathlib.Path)
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--tables", type=pathlib.Path)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--runs", type=int)
    p.add_argument("--only", choices=FAMILIES)
    a = p.parse_args()
    a.runs = a.runs or (3 if a.quick else 10)
    a.tacit = str(a.build / "src" / "cli" / "tacit")
    print("Means, standard errors in brackets; method `auto`. Made by bench/utility.py"
          f"{' --quick' if a.quick else ''}.")
    for name, family in FAMILIES.items():
        if a.only in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                family(a, pathlib.Path(folder))


main()
