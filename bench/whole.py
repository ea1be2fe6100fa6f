#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whole runs of `tacit kmeans` on NPY files, from process start to release, as ratios: wall time
against one fit of scikit-learn's KMeans(n_init=1) (and diffprivlib's, if it is installed) on the
same rows in the same run; peak memory against the limit 1.3 x lattice + 64 MB (the lattice has 2
bytes a value); time at n = 10^5, 10^6, 10^7 for d = 10 against n.

Usage: bench/whole.py TACIT [--data FOLDER] [--methods auto,lloyd] [--repeats 3] [--most 10000000]
FOLDER may hold mnist_x.npy (70000 x 784, 0 to 255). Debian's python3-numpy and python3-sklearn."""
import argparse
import pathlib
import tempfile
import time

import numpy as np
from sklearn.cluster import KMeans

import recipes
from running import child


def clock(work):
    """Wall and CPU seconds of a call; CPU seconds are the fairer number on a busy machine."""
    start, before = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - before


def middle(times, which):
    return float(np.median([t[which] for t in times]))


def argv(a, path, s, method, out):
    return [a.tacit, "kmeans", path, "-k", str(s.k), "--epsilon", "1", "--delta", "1e-6",
            "--method", method, "--quiet", "-o", str(pathlib.Path(out) / "m.json"), *s.domain]


def against_peers(a, name, folder):
    s = recipes.load(name, a.data)
    path = str(pathlib.Path(folder) / "x.npy")
    np.save(path, s.x)
    ours, peak, fits = {m: [] for m in a.methods}, dict.fromkeys(a.methods, 0), []
    for i in range(a.repeats):  # in turn, so that a busy moment hits all alike
        fits.append(clock(lambda: KMeans(s.k, n_init=1, random_state=i).fit(s.x)))
        for m in a.methods:
            ours[m].append(child(argv(a, path, s, m, folder)))
            peak[m] = max(peak[m], ours[m][-1][2])
    limit = 1.3 * s.x.size * 2 + 64e6
    for m in a.methods:
        print(f"{name + ', ' + m:24} scikit-learn fit / tacit: wall "
              f"{middle(fits, 0) / middle(ours[m], 0):7.2f}x, "
              f"CPU {middle(fits, 1) / middle(ours[m], 1):7.2f}x    memory limit / peak "
              f"{limit / peak[m]:6.2f}x", flush=True)
    if name == "r10":
        try:
            from diffprivlib.models import KMeans as Private
            wall, _ = clock(lambda: Private(n_clusters=s.k, epsilon=1, bounds=(-1, 1)).fit(s.x))
            print(f"{name + ', ' + a.methods[0]:24} diffprivlib fit / tacit: wall "
                  f"{wall / middle(ours[a.methods[0]], 0):7.1f}x")
        except ImportError:
            print("diffprivlib is not installed: its ratio was not measured")


def linear(a, folder):
    """Rows tenfold, time tenfold? The file is written in pieces: 10^7 rows of 10 float32 are 400
    MB."""
    sizes = [n for n in (10**5, 10**6, 10**7) if n <= a.most]
    seconds = {m: [] for m in a.methods}
    for n in sizes:
        path = str(pathlib.Path(folder) / "rows.npy")
        out = np.lib.format.open_memmap(path, "w+", np.float32, (n, 10))
        r = np.random.default_rng(3)
        c = recipes.in_ball(16, 10, 0.8, r)
        for i in range(0, n, 10**5):
            out[i:i + 10**5] = recipes.clip_ball(recipes.around(c, min(10**5, n - i), 0.05, r))
        del out
        s = recipes.Set(None, 16, recipes.BALL)
        for m in a.methods:
            runs = [child(argv(a, path, s, m, folder)) for _ in range(a.repeats)]
            seconds[m].append(middle(runs, 1))
            limit = 1.3 * n * 10 * 2 + 64e6
            print(f"{f'{n:.0e} x 10, {m}':24} memory limit / peak "
                  f"{limit / max(run[2] for run in runs):6.2f}x", flush=True)
    for m in a.methods:
        for i in range(1, len(sizes)):
            print(f"{m:24} CPU time at {sizes[i]:.0e} / at {sizes[i - 1]:.0e} rows: "
                  f"{seconds[m][i] / seconds[m][i - 1]:5.1f} (10: linear)")


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--methods", default="auto,lloyd", type=lambda t: t.split(","))
    p.add_argument("--repeats", type=int, default=3)
    p.add_argument("--most", type=float, default=1e7)
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in ["r10", "g100"] + (["mnist"] if a.data else []):
            against_peers(a, name, folder)
        linear(a, folder)


main()
