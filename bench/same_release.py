#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do two builds of the command release the same bytes under the same test seed?

same_release.py FIRST SECOND [--data FOLDER] [--large] [--every N]

Small runs on made-up rows: 1 to 33 columns, few and odd numbers of rows, missing and outlying
values, boxes and balls, one and two threads, two epsilons, delta 0 and above, auto and lloyd,
k-median, persons, chosen k. --large: also 10^7 x 10, 10^5 x 100 and, if FOLDER has it, mnist_x.npy.
--every N takes every N-th of the small runs. Exit 1 if a release differs."""
import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def mixture(rows, columns, seed, k=8):
    r = np.random.default_rng(seed)
    at = r.random((k, columns))
    out = np.empty((rows, columns), np.float32)
    for i in range(0, rows, 10**6):
        n = min(10**6, rows - i)
        out[i:i + n] = at[r.integers(0, k, n)] + 0.05 * r.standard_normal((n, columns))
    return out


def bad_values(x, seed):
    """Some values missing, some infinite, some far outside."""
    r = np.random.default_rng(seed)
    for value, share in ((np.nan, 0.01), (np.inf, 0.002), (1e30, 0.01), (-7, 0.01)):
        x[r.random(x.shape) < share] = value
    return x


def small_runs(folder):
    """Words of a command line each; files are written when they are first needed."""
    number = 0
    for columns, rows in itertools.product((1, 2, 3, 5, 8, 10, 12, 15, 16, 17, 20, 32, 33),
                                           (37, 401, 20011)):
        plain, odd = folder / f"{columns}-{rows}.npy", folder / f"{columns}-{rows}-odd.npy"
        np.save(plain, mixture(rows, columns, columns))
        np.save(odd, bad_values(mixture(rows, columns, columns + 1), columns))
        for method, (epsilon, delta), shape in itertools.product(
                ("auto", "lloyd"), (("1", "1e-6"), ("0.2", "1e-6"), ("4", "0")), ("box", "ball")):
            number += 1
            domain = ["--bounds", "0:1"] if shape == "box" else ["--radius", "0.8", "--center",
                                                                 "0.5"]
            missing = [[], ["--missing", "midpoint"]][number % 2]
            yield ["kmeans", str(odd if number % 3 == 0 else plain), "-k", str(2 + number % 5 * 7),
                   "--epsilon", epsilon, "--delta", delta, "--method", method, "--threads",
                   str(1 + number % 2), *domain, *missing]
        for extra in (["kmeans", str(plain), "-k", "auto"], ["kmedian", str(plain), "-k", "5"]):
            for delta in ("1e-6", "0"):
                yield [*extra, "--epsilon", "1", "--delta", delta, "--bounds", "0:1"]
        table = folder / f"{columns}-{rows}.csv"
        names = ",".join(f"a{j}" for j in range(columns))
        lines = (f"{i % (rows // 5)}," + ",".join("" if not np.isfinite(v) else f"{v:.4f}"
                                                  for v in row)
                 for i, row in enumerate(np.load(odd)[:2000]))
        table.write_text(f"who,{names}\n" + "\n".join(lines) + "\n")
        yield ["kmeans", str(table), "-k", "4", "--epsilon", "2", "--delta", "1e-6",
               "--unit-column", "who", "--max-rows-per-person", "2", "--bounds",
               ",".join(f"a{j}=0:1" for j in range(columns))]


def large_runs(folder, data):
    for rows, columns, k in ((10**7, 10, 16), (10**5, 100, 64)):
        file = folder / f"{rows}x{columns}.npy"
        np.save(file, mixture(rows, columns, 7, k))
        yield ["kmeans", str(file), "-k", str(k), "--epsilon", "1", "--delta", "1e-8", "--bounds",
               "0:1"]
    if data is not None and (data / "mnist_x.npy").exists():
        yield ["kmeans", str(data / "mnist_x.npy"), "-k", "10", "--epsilon", "1", "--delta", "1e-6",
               "--bounds", "0:255"]


def release(build, argv, out):
    """The release and the exit status: a refusal must be the same refusal."""
    out.unlink(missing_ok=True)
    done = subprocess.run([build, *argv, "--insecure-test-seed", "11", "--quiet", "-o", str(out)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stderr, out.read_bytes() if out.exists() else b""


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("first")
    p.add_argument("second")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--large", action="store_true")
    p.add_argument("--every", type=int, default=1)
    a = p.parse_args()
    runs = refused = differ = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        small = itertools.islice(small_runs(folder), 0, None, a.every)
        large = large_runs(folder, a.data) if a.large else ()
        for argv in itertools.chain(small, large):
            first, second = (release(build, argv, folder / "m.json")
                             for build in (a.first, a.second))
            runs += 1
            refused += first[0] != 0
            if first != second:
                differ += 1
                print("differs:", " ".join(argv), flush=True)
    print(f"{runs} runs, {refused} refused by the first build, {differ} differ")
    sys.exit(differ > 0)


main()
