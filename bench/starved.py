#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small budgets: is auto ever worse than noisy Lloyd rounds, or than one center at the noisy mean?

starved.py TACIT [--data FOLDER] [--sets PART,...] [--runs N] [--epsilon E,...] [--csv FILE]

Cost of the released centers over that of plain k-means on the same rows: geometric means with their
standard errors in percent, for auto, lloyd, one center (auto -k 1), and auto and one center with
delta 0 (pure, pure-one). Sets are mixtures g:ROWS:COLUMNS:K:APART:LOOSE (centers APART standard
deviations from each other, bounds LOOSE times as wide as the rows) and, with FOLDER, samples
NAME:ROWS:K of s1, adult, lifesci, letter and gasemission. Behind a line: where auto is worse than
one of the others, or pure than pure-one, by more than three standard errors and a hundredth. --sets
takes those whose names hold one of the words."""
import argparse
import csv
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.cluster import KMeans

from running import cost

FILES = {"s1": "s1_x.npy", "adult": "adultnum_x.npy", "lifesci": "lifesci_x.npy",
         "letter": "letter_x.npy", "gasemission": "gasemission_x.npy"}
WAYS = {"auto": ("auto", "1e-6"), "lloyd": ("lloyd", "1e-6"), "one": ("auto", "1e-6"),
        "pure": ("auto", "0"), "pure-one": ("auto", "0")}


def names(with_files):
    for d, n, k, apart, loose in itertools.product((2, 10, 50), (2000, 5000, 20000), (5, 15),
                                                   (3, 10), (1, 10)):
        yield f"g:{n}:{d}:{k}:{apart}:{loose}"
    for name, n, k in itertools.product(FILES if with_files else [], (2000, 5000, 20000), (5, 15)):
        if name != "s1" or n <= 5000:
            yield f"{name}:{n}:{k}"


def load(name, folder):
    """Rows in the unit cube of the declared bounds, k, and the bounds."""
    kind, *numbers = name.split(":")
    r = np.random.default_rng(1)
    if kind == "g":
        n, d, k, apart, loose = map(int, numbers)
        centers = r.standard_normal((k, d)) * apart / math.sqrt(2 * d)
        x = centers[r.integers(k, size=n)] + r.standard_normal((n, d))
        x = (x - x.min(0)) / (x.max() - x.min())
        # wider bounds, and the rows off their middle
        return x, k, (-0.7 * (loose - 1), 1 + 0.3 * (loose - 1))
    n, k = map(int, numbers)
    x = np.load(folder / FILES[kind]).astype(float)
    low, high = x.min(0), x.max(0)
    x = x[r.permutation(len(x))[:n]]
    return (x - low) / np.where(high > low, high - low, 1), k, (0, 1)


def release(tacit, file, k, bounds, epsilon, method, delta):
    argv = [tacit, "kmeans", file, "-k", k, "--epsilon", epsilon, "--delta", delta, "--bounds",
            f"{bounds[0]}:{bounds[1]}", "--method", method, "--threads", 1, "--quiet", "--json"]
    done = subprocess.run([str(word) for word in argv], capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.decode())
    return np.array(json.loads(done.stdout)["centers"])


def one_set(a, name, file, writer):
    x, k, bounds = load(name, a.data)
    np.save(file, x)
    best = cost(x, KMeans(k, n_init=3, random_state=1).fit(x).cluster_centers_)
    for epsilon in a.epsilon:
        logs = {}
        for way in a.ways:
            method, delta = WAYS[way]
            centers = 1 if way.endswith("one") else k
            call = lambda _: math.log(cost(x, release(a.tacit, file, centers, bounds, epsilon,
                                                      method, delta)) / best)
            with ThreadPoolExecutor(2) as pool:
                logs[way] = np.array(list(pool.map(call, range(a.runs))))
            for found in logs[way]:
                writer.writerow([name, epsilon, way, f"{math.exp(found):.6g}"])
        error = {way: found.std(ddof=1) / math.sqrt(a.runs) for way, found in logs.items()}
        line = f"{name:22}{epsilon:6g}"
        for way, found in logs.items():
            line += f"{math.exp(found.mean()):11.3f} {100 * error[way]:4.1f}"
        for way in logs:
            ours = "pure" if way == "pure-one" else "auto"
            more = logs[ours].mean() - logs[way].mean() if ours in logs else 0
            if more > max(0.01, 3 * math.hypot(error[way], error.get(ours, 0))):
                line += f"  {math.exp(more):.2f} of {way}"
        print(line, flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--sets", default="")
    p.add_argument("--runs", type=int, default=10)
    p.add_argument("--epsilon", default="0.05,0.1,0.2")
    p.add_argument("--ways", default=",".join(WAYS))
    p.add_argument("--csv", default="/dev/null")
    a = p.parse_args()
    a.epsilon = [float(word) for word in a.epsilon.split(",")]
    a.ways = a.ways.split(",")
    print(f"{'set':22}{'eps':>6}" + "".join(f"{way:>11}  +-%" for way in a.ways))
    with tempfile.TemporaryDirectory() as folder, open(a.csv, "w", newline="") as out:
        for name in names(a.data is not None):
            if any(word in name for word in a.sets.split(",")):
                one_set(a, name, pathlib.Path(folder) / "rows.npy", csv.writer(out))


if __name__ == "__main__":
    main()
