#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs not to know bounds: private bounds, and one column declared far too wide, each
against well-chosen bounds, which are the exact quantiles of 0.1 % and 99.9 % of every column. Costs
of both are measured in the geometry of the well-chosen bounds (rows moved into them, columns
divided by their range), so that a wrong scale of a column counts. Prints mean cost over mean cost,
with its standard error; floor: 1.05.

Usage: bench/bounds.py TACIT [--data FOLDER] [--sets NAME,...] [--runs 10] [--epsilon 1]
       [--delta 1e-6] [-k 5,10] [--what private,wide,clean] [--other TACIT]
FOLDER holds adultnum_x.npy, gasemission_x.npy, letter_x.npy, s1_x.npy; without it sets that need a
file are left out. private: no bounds at all. wide: one column 100 and 1000 times too wide, upwards
or on both sides. clean: bounds as wide as the rows, against another
build of the command (--other) on the same bounds. Needs Debian's python3-numpy."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

FLOOR = 1.05
FILES = {"adult": "adultnum_x.npy", "gas": "gasemission_x.npy", "letter": "letter_x.npy",
         "s1": "s1_x.npy"}


def money(rows=20000, columns=4, groups=5):
    """Log-normal columns about a few groups."""
    lots = np.random.default_rng(5)
    middle = lots.normal(0, 1.2, (groups, columns)) + np.array([10, 7, 3, 8])
    return np.exp(middle[lots.integers(groups, size=rows)] + lots.normal(0, .6, (rows, columns)))


def mixture(rows=20000, columns=5, groups=8):
    """Round groups, and one column of money."""
    lots = np.random.default_rng(7)
    group = lots.integers(groups, size=rows)
    x = lots.uniform(0, 1, (groups, columns))[group] + lots.normal(0, .05, (rows, columns))
    x[:, 0] = np.exp(6 + lots.normal(0, 1, groups)[group] + lots.normal(0, .3, rows))
    return x


MADE = {"money": money, "mixture": mixture}


def load(name, folder):
    if name in MADE:
        return MADE[name]()
    if folder is None:
        return None
    return np.load(folder / FILES[name]).astype(float)


def cost(x, c, low, high):
    """Mean squared distance to the nearest center, in the geometry of the bounds."""
    wide = high - low
    x, c = (np.clip(x, low, high) - low) / wide, (np.asarray(c) - low) / wide
    least = np.full(len(x), np.inf)
    for center in c:
        least = np.minimum(least, ((x - center) ** 2).sum(1))
    return least.mean()


class Bench:
    def __init__(self, a):
        self.a, self.folder = a, tempfile.TemporaryDirectory()

    def costs(self, x, k, bounds, low, high, tacit=None):
        """Costs of some runs; bounds: two vectors, or None for private ones."""
        folder = pathlib.Path(self.folder.name)
        rows, declared = folder / "x.npy", "private"
        np.save(rows, x)
        if bounds is not None:
            declared = folder / "bounds.csv"
            declared.write_text("column,lower,upper\n" + "".join(
                f"c{j + 1},{float(a)!r},{float(b)!r}\n" for j, (a, b) in enumerate(zip(*bounds))))
        argv = [tacit or self.a.tacit, "kmeans", str(rows), "-k", str(k), "--epsilon",
                repr(self.a.epsilon), "--bounds", str(declared), "--json", "--quiet"]
        argv += ["--delta", repr(self.a.delta)] if self.a.delta > 0 else []
        found = []
        for _ in range(self.a.runs):
            run = subprocess.run(argv, capture_output=True)
            if run.returncode:
                sys.exit(run.stderr.decode())
            found.append(cost(x, json.loads(run.stdout)["centers"], low, high))
        return np.array(found)


def ratio(mine, other):
    """Mean over mean, and its standard error."""
    value = mine.mean() / other.mean()
    parts = [v.std(ddof=1) / v.mean() / np.sqrt(len(v)) for v in (mine, other)]
    return value, value * np.hypot(*parts)


def tell(words, mine, other, broken):
    value, error = ratio(mine, other)
    print(f"  {words:44} {value:7.4f} +- {error:.4f}", flush=True)
    if value > FLOOR:
        broken.append(f"{words}: {value:.4f} +- {error:.4f}")


def widened(low, high, column, times, both):
    low, high, wide = low.copy(), high.copy(), (high - low)[column] * (times - 1)
    low[column] -= wide / 2 if both else 0
    high[column] += wide / 2 if both else wide
    return low, high


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--sets", default="adult,gas,letter,money,mixture")
    p.add_argument("--runs", type=int, default=10)
    p.add_argument("--epsilon", type=float, default=1)
    p.add_argument("--delta", type=float, default=1e-6)
    p.add_argument("-k", default="5,10", type=lambda t: [int(v) for v in t.split(",")])
    p.add_argument("--what", default="private,wide")
    p.add_argument("--other")
    a = p.parse_args()
    bench, broken = Bench(a), []
    print(f"cost over that with well-chosen bounds; epsilon {a.epsilon:g}, delta {a.delta:g}, "
          f"{a.runs} runs each")
    for name in a.sets.split(","):
        x = load(name, a.data)
        if x is None:
            print(f"{name}: left out, no file")
            continue
        low, high = np.quantile(x, [.001, .999], axis=0)
        for k in a.k:
            print(f"{name}: {x.shape[0]} x {x.shape[1]}, k {k}")
            told = lambda words: f"{name} k {k} {words}"
            if "clean" in a.what:
                whole = x.min(0), x.max(0)
                tell(told("clean, against the other build"), bench.costs(x, k, whole, *whole),
                     bench.costs(x, k, whole, *whole, tacit=a.other), broken)
            if "private" in a.what or "wide" in a.what:
                well = bench.costs(x, k, (low, high), low, high)
            if "private" in a.what:
                tell(told("private bounds"), bench.costs(x, k, None, low, high), well, broken)
            if "wide" not in a.what:
                continue
            for column, times, both in ((0, 100, False), (0, 1000, True), (2 % x.shape[1], 1000,
                                                                        False)):
                bounds = widened(low, high, column, times, both)
                tell(told(f"column {column + 1} {times} times {'both' if both else 'up'}"),
                     bench.costs(x, k, bounds, low, high), well, broken)
    for line in broken:
        print("above the floor:", line)
    sys.exit(1 if broken else 0)


main()
