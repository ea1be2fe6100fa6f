#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The speed of `auto`, as ratios of CPU time within one run, everything in turns: auto over lloyd
and over one fit of scikit-learn's KMeans(n_init=1), one thread, on the same float32 rows, 10^7 x 10
in [0, 1] with k = 16, and MNIST with k = 10; peak memory over the lattice's; code paths and threads
by bench_paths. Ratios to hold stand beside them.

Usage: bench/speed.py TACIT [--before TACIT] [--paths BENCH_PATHS] [--data FOLDER] [--rows 10000000]
                      [--repeats 3]
--before: an older build, in the same turns. FOLDER may hold mnist_x.npy (70000 x 784, 0 to 255).
Debian's python3-numpy and python3-sklearn."""
import argparse
import pathlib
import subprocess
import tempfile
import time

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from running import child


def mixture(path, rows):
    """16 clusters in [0, 1]^10 that touch, written in pieces."""
    r = np.random.default_rng(3)
    at = r.random((16, 10))
    out = np.lib.format.open_memmap(path, "w+", np.float32, (rows, 10))
    for i in range(0, rows, 10**6):
        n = min(10**6, rows - i)
        out[i:i + n] = np.clip(at[r.integers(0, 16, n)] + 0.15 * r.standard_normal((n, 10)), 0, 1)


def run(tacit, path, k, bounds, method, out):
    """CPU seconds and peak memory of a run with one thread."""
    _, cpu, peak = child([tacit, "kmeans", str(path), "-k", str(k), "--epsilon", "1", "--delta",
                          "1e-8", "--bounds", bounds, "--method", method, "--threads", "1",
                          "--quiet", "-o", str(out)])
    return cpu, peak


def fit(x, k, seed):
    """CPU seconds on one thread: threads that wait for each other would count too."""
    with threadpool_limits(1):
        start = time.process_time()
        KMeans(k, n_init=1, random_state=seed).fit(x)
        return time.process_time() - start


def say(what, ratios, limit=None):
    """The median of the ratios of the turns, and how far they spread."""
    hold = "" if limit is None else f"    at most {limit}"
    print(f"{what:48} {np.median(ratios):6.2f}   ({min(ratios):.2f} to {max(ratios):.2f}){hold}",
          flush=True)


def measure(a, name, path, k, bounds, most, folder):
    x = np.load(path).astype(np.float32)
    auto, lloyd, fits, old, peak = [], [], [], [], 0
    for i in range(a.repeats):
        cpu, memory = run(a.tacit, path, k, bounds, "auto", folder / "m.json")
        auto.append(cpu)
        peak = max(peak, memory)
        lloyd.append(run(a.tacit, path, k, bounds, "lloyd", folder / "m.json")[0])
        if a.before:
            old.append([run(a.before, path, k, bounds, m, folder / "m.json")[0]
                        for m in ("auto", "lloyd")])
        fits.append(fit(x, k, i))
    auto, lloyd, fits = np.array(auto), np.array(lloyd), np.array(fits)
    say(f"{name}: auto / lloyd", auto / lloyd, most[0])
    say(f"{name}: auto / one scikit-learn fit", auto / np.median(fits), most[1])
    if a.before:
        old = np.array(old)
        say(f"{name}: auto / auto before", auto / old[:, 0])
        say(f"{name}: lloyd / lloyd before", lloyd / old[:, 1])
    say(f"{name}: peak memory / (1.3 lattice + 64 MB)", [peak / (1.3 * 2 * x.size + 64e6)], 1)


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--before")
    p.add_argument("--paths")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--rows", type=int, default=10**7)
    p.add_argument("--repeats", type=int, default=3)
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sets = [(f"{a.rows:.0e} x 10", folder / "rows.npy", 16, "0:1", (8, 0.35))]
        mixture(sets[0][1], a.rows)
        if a.data is not None and (a.data / "mnist_x.npy").exists():
            sets.append(("mnist", a.data / "mnist_x.npy", 10, "0:255", (None, 0.1)))
        for name, path, k, bounds, most in sets:
            measure(a, name, path, k, bounds, most, folder)
            if a.paths:
                subprocess.run([a.paths, str(path), str(k), bounds, str(a.repeats)], check=True)


main()
