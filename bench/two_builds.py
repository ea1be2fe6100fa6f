#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two builds of the command, in turns: CPU time and cost of the second over the first.

two_builds.py FIRST SECOND [--data FOLDER] [--runs N] [--rows N]

Time: k-means of made-up rows, one thread, from CSV and NPY, medians. Cost: mean squared distance in
the declared geometry, by `evaluate` of the second build, with the standard error of the ratio; on
s1, letter and birch2 if FOLDER holds s1_x.npy, letter_x.npy, birch2_x.npy, else on made-up rows."""
import argparse
import json
import math
import pathlib
import resource
import statistics
import subprocess
import tempfile

SETS = [("s1_x.npy", 15, "0:1000000"), ("letter_x.npy", 26, "0:15"),
        ("birch2_x.npy", 20, "0:1000000")]


def call(argv):
    """What a command prints, and the CPU time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in argv], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def kmeans(build, file, k, bounds, epsilon, delta, method, model):
    return call([build, "kmeans", file, "-k", k, "--epsilon", epsilon, "--delta", delta, "--bounds",
                 bounds, "--method", method, "--threads", 1, "--quiet", "-o", model])[1]


def times(a, folder):
    for ending in ("csv", "npy"):
        file = folder / f"rows.{ending}"
        call([a.second, "generate", "mixture", "--rows", a.rows, "--columns", 10, "-o", file])
        for method in ("auto", "lloyd"):
            taken = ([], [])
            for _ in range(a.runs):
                for which, build in enumerate((a.first, a.second)):
                    taken[which].append(kmeans(build, file, 5, "0:1", 1, "1e-6", method,
                                               folder / "m.json"))
            print(f"CPU time, {method}, {ending}, {a.rows} x 10: "
                  f"{statistics.median(taken[1]) / statistics.median(taken[0]):.3f}", flush=True)


def cost(a, build, file, k, bounds, epsilon, delta, folder):
    model = folder / "m.json"
    kmeans(build, file, k, bounds, epsilon, delta, "auto", model)
    return json.loads(call([a.second, "evaluate", model, file, "--json"])[0])["cost"]


def costs(a, folder):
    sets = [(a.data / name, k, bounds) for name, k, bounds in SETS
            if a.data and (a.data / name).exists()]
    for file, k, bounds in sets or [(folder / "rows.npy", 5, "0:1")]:
        for epsilon, delta in [(0.2, "1e-6"), (1, "1e-6"), (1, 0)]:
            found = ([], [])
            for _ in range(a.runs):
                for which, build in enumerate((a.first, a.second)):
                    found[which].append(cost(a, build, file, k, bounds, epsilon, delta, folder))
            means = [statistics.mean(one) for one in found]
            error = math.hypot(*(statistics.stdev(one) / mean for one, mean in zip(found, means)))
            ratio = means[1] / means[0]
            print(f"cost, {file.name}, k {k}, epsilon {epsilon}, delta {delta}: {ratio:.4f} +- "
                  f"{ratio * error / math.sqrt(a.runs):.4f}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("first")
    p.add_argument("second")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--runs", type=int, default=10)
    p.add_argument("--rows", type=int, default=1000000)
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times(a, pathlib.Path(folder))
        costs(a, pathlib.Path(folder))


if __name__ == "__main__":
    main()
