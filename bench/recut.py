#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a recut is worth: the cost on the rows of a release that was cut into half, as many and
twice as many clusters, over that of a fresh run at that k which spends a whole budget of its own.
Prints the ratio of mean costs with its standard error; floor: 1.05.

Usage: bench/recut.py TACIT [--data FOLDER] [--sets NAME,...] [--runs 10] [--epsilon .25,1,4]
       [--delta 1e-6] [--median]
Sets are those of bench/declared_sets.py. Costs are measured on at most 20,000 rows, in columns
divided by their bounds. Needs Debian's python3-numpy."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import declared_sets

FLOOR = 1.05


def cost(x, c, wide, power):
    x, c = x / wide, np.asarray(c) / wide
    least = np.full(len(x), np.inf)
    for one in c:
        least = np.minimum(least, ((x - one) ** 2).sum(1))
    return float((least ** (power / 2)).mean())


def run(argv):
    done = subprocess.run([str(a) for a in argv], capture_output=True)
    if done.returncode:
        return done.stderr.decode().strip().splitlines()[-1]
    return json.loads(done.stdout)


def ratio(a, b):
    """Mean over mean, with its standard error to first order."""
    a, b = np.array(a), np.array(b)
    r = a.mean() / b.mean()
    error = r * np.hypot(a.std(ddof=1) / a.mean() / len(a) ** .5,
                         b.std(ddof=1) / b.mean() / len(b) ** .5) if len(a) > 1 else np.nan
    return r, error


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("tacit")
    ask.add_argument("--data", type=pathlib.Path)
    ask.add_argument("--sets", default="s1,birch2,letter,adult,embeddings,mnist")
    ask.add_argument("--runs", type=int, default=10)
    ask.add_argument("--epsilon", default=".25,1,4")
    ask.add_argument("--delta", default="1e-6")
    ask.add_argument("--median", action="store_true")
    o = ask.parse_args()
    family, power = ("kmedian", 1) if o.median else ("kmeans", 2)
    for name, declared in declared_sets.sets(o.sets, o.data):
        k, wide, sample = declared.k, declared.high - declared.low, declared.sample()
        with tempfile.TemporaryDirectory() as place:
            rows, bounds = declared.write(place)
            ks = [max(1, k // 2), k, 2 * k]
            for epsilon in o.epsilon.split(","):
                fresh, cut, cells, why = {n: [] for n in ks}, {n: [] for n in ks}, [], ""
                budget = ["--epsilon", epsilon, "--bounds", bounds, "--json", "-q"]
                if float(o.delta) > 0:
                    budget += ["--delta", o.delta]
                for _ in range(o.runs):
                    for n in ks:
                        model = run([o.tacit, family, rows, "-k", n, *budget])
                        fresh[n].append(cost(sample, model["centers"], wide, power))
                        if n != k:
                            continue
                        text = f"{place}/model.json"
                        with open(text, "w") as out:
                            json.dump(model, out)
                        cells.append(len(model.get("synopsis", {}).get("weights", [])))
                        for m in ks:
                            other = run([o.tacit, "recut", text, "-k", m, "--json", "-q"]
                                        + (["--median"] if o.median else []))
                            if isinstance(other, str):
                                why = other
                                continue
                            cut[m].append(cost(sample, other["centers"], wide, power))
                told = []
                for n in ks:
                    if not cut[n]:
                        told.append(f"{n}: refused")
                        continue
                    r, error = ratio(cut[n], fresh[n])
                    part = f" ({len(cut[n])} of {o.runs})" if len(cut[n]) < o.runs else ""
                    told.append(f"{n}: {r:.3f} ({error:.3f}){part}"
                                + ("" if r - 2 * error <= FLOOR else " above"))
                print(f"{name:10s} {family} k {k} epsilon {epsilon:4s} cells "
                      f"{np.mean(cells):6.1f}  {'  '.join(told)}" + (f"  # {why}" if why else ""),
                      flush=True)


if __name__ == "__main__":
    sys.exit(main())
