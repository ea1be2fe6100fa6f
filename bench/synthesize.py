#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What synthetic rows are good for: as many as there are rows, drawn from a release.
  k-means   plain k-means of the synthetic rows: its cost on the real rows over that of the release
            and over that of plain k-means of the real rows
  means     largest difference of a column's mean, in standard deviations of the column
  sds       largest ratio of a column's standard deviations
  corr      root mean square and largest difference of correlations of two columns; in brackets what
            saying "no correlation" gives
Prints means over runs with standard errors.

Usage: bench/synthesize.py TACIT [--data FOLDER] [--sets NAME,...] [--runs 5] [--epsilon 1]
       [--delta 1e-6]
Sets are those of bench/declared_sets.py. Needs Debian's python3-numpy and python3-sklearn."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.cluster import KMeans

import declared_sets
import recut


def told(values):
    v = np.array(values, float)
    return f"{v.mean():.3f} ({v.std(ddof=1) / len(v) ** .5:.3f})" if len(v) > 1 else f"{v[0]:.3f}"


def correlations(x):
    keep = x.std(0) > 0
    c = np.zeros((x.shape[1],) * 2)
    c[np.ix_(keep, keep)] = np.corrcoef(x[:, keep].T)
    return c[np.triu_indices(x.shape[1], 1)]


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("tacit")
    ask.add_argument("--data", type=pathlib.Path)
    ask.add_argument("--sets", default="s1,birch2,letter,adult,embeddings")
    ask.add_argument("--runs", type=int, default=5)
    ask.add_argument("--epsilon", default="1")
    ask.add_argument("--delta", default="1e-6")
    o = ask.parse_args()
    for name, declared in declared_sets.sets(o.sets, o.data):
        k, wide, sample = declared.k, declared.high - declared.low, declared.sample()
        x = declared.x = np.clip(declared.x, declared.low, declared.high)
        best = KMeans(k, n_init=3, random_state=1).fit(sample / wide).cluster_centers_ * wide
        best = recut.cost(sample, best, wide, 2)
        truth = correlations(x)
        for epsilon in o.epsilon.split(","):
            to_release, to_plain, means, sds, rms, most = [], [], [], [], [], []
            with tempfile.TemporaryDirectory() as place:
                rows, bounds = declared.write(place)
                for seed in range(o.runs):
                    subprocess.run([o.tacit, "kmeans", rows, "-k", str(k), "--epsilon",
                                    epsilon, "--delta", o.delta, "--bounds", bounds,
                                    "-o", f"{place}/m.json", "-q"], check=True,
                                   capture_output=True)
                    subprocess.run([o.tacit, "synthesize", f"{place}/m.json", "--rows",
                                    str(len(x)), "--seed", str(seed), "--unlabeled", "-q", "-o",
                                    f"{place}/y.csv"], check=True, capture_output=True)
                    y = np.loadtxt(f"{place}/y.csv", delimiter=",", skiprows=1)
                    part = y[np.random.default_rng(2).permutation(len(y))[:20000]]
                    found = KMeans(k, n_init=3, random_state=1).fit(part / wide)
                    with open(f"{place}/m.json") as file:
                        released = recut.cost(sample, json.load(file)["centers"], wide, 2)
                    here = recut.cost(sample, found.cluster_centers_ * wide, wide, 2)
                    to_release.append(here / released)
                    to_plain.append(here / best)
                    sd = np.where(x.std(0) > 0, x.std(0), 1)
                    means.append(np.max(np.abs(y.mean(0) - x.mean(0)) / sd))
                    off = y.std(0) / sd
                    sds.append(max(off.max(), 1 / max(off.min(), 1e-9)))
                    gap = correlations(y) - truth
                    rms.append(np.sqrt(np.mean(gap ** 2)))
                    most.append(np.abs(gap).max())
            print(f"{name:10s} k {k} epsilon {epsilon}: k-means over release {told(to_release)}, "
                  f"over plain {told(to_plain)}; means {told(means)}; sds {told(sds)}; corr rms "
                  f"{told(rms)} [{np.sqrt(np.mean(truth ** 2)):.3f}], largest {told(most)} "
                  f"[{np.abs(truth).max():.3f}]", flush=True)


if __name__ == "__main__":
    sys.exit(main())
