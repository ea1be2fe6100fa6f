#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sparse rows: cost of `tacit kmeans --method auto` relative to plain k-means started from the true
topics, beside the same rows given as a dense file, and as a pure run.

Rows of unit norm, about 14 words each, 20 topics: four words in five from the topic's own 30
(Zipf), the others from a background of 2000 that all topics share; the second set has 100 words a
topic and two in five from the background.

Usage: bench/sparse.py TACIT [--runs 3] [--epsilon 0.1,0.5,1,2]
Needs Debian's python3-numpy and python3-scipy."""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import scipy.sparse as sp


def topics(n, d, k, core, own, words, seed=7):
    """n rows of d columns: each word is one of its topic's `core` words with probability `own`."""
    r = np.random.default_rng(seed)
    shared = r.permutation(d)[:min(d, 2000)]
    weight = 1 / (np.arange(len(shared)) + 5)
    topic_words = [r.permutation(d)[:core] for _ in range(k)]
    topic_weight = 1 / (np.arange(core) + 3)
    label = r.integers(k, size=n)
    row = np.repeat(np.arange(n), np.maximum(1, r.poisson(words, n)))
    column = shared[r.choice(len(shared), size=len(row), p=weight / weight.sum())]
    mine = r.random(len(row)) < own
    for t in range(k):
        at = np.nonzero(mine & (label[row] == t))[0]
        column[at] = topic_words[t][r.choice(core, size=len(at),
                                             p=topic_weight / topic_weight.sum())]
    x = sp.csr_matrix((np.ones(len(row)), (row, column)), (n, d))
    x.sum_duplicates()
    return sp.csr_matrix(sp.diags(1 / np.sqrt(np.asarray(x.multiply(x).sum(1)).ravel())) @ x), label


def nearest(x, c):
    far = (c * c).sum(1)[None] - 2 * (x @ c.T)
    return far.argmin(1), float(x.multiply(x).sum() + far.min(1).sum()) / x.shape[0]


def plain(x, label, k):
    """Lloyd from the true topics."""
    n, best = x.shape[0], np.inf
    for _ in range(20):
        member = sp.csr_matrix((np.ones(n), (label, np.arange(n))), (k, n))
        c = (member @ x).toarray() / np.maximum(np.bincount(label, minlength=k), 1)[:, None]
        label, cost = nearest(x, c)
        if cost > best * (1 - 1e-5):
            break
        best = cost
    return best


def write_mtx(path, x):
    c = x.tocoo()
    with open(path, "w") as f:
        f.write(f"%%MatrixMarket matrix coordinate real general\n{x.shape[0]} {x.shape[1]} "
                f"{x.nnz}\n")
        np.savetxt(f, np.column_stack([c.row + 1, c.col + 1, c.data]), fmt="%d %d %.9g")


def run(tacit, path, k, epsilon, delta, extra=()):
    out = subprocess.run([tacit, "kmeans", path, "-k", str(k), "--method", "auto", "--epsilon",
                          epsilon, "--delta", delta, "--radius", "1", "--json", "--quiet", *extra],
                         capture_output=True, check=True).stdout
    return np.array(json.loads(out)["centers"])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("tacit")
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--epsilon", default="0.1,0.5,1,2")
    p.add_argument("--only", help="sets by number from 1, for example 1,3")
    a = p.parse_args()
    print(f"cost / plain k-means, mean of {a.runs} runs, delta 1e-6; pure: delta 0 and "
          "--sparsity 24")
    print(f"{'rows':38} {'epsilon':>7} {'sparse':>8} {'dense':>8} {'pure':>8} {'one mean':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, n, d, k, core, own, words, as_dense) in enumerate(((
            "20 topics of 30 words, 50000 x 5000", 50000, 5000, 20, 30, .8, 18,
            False), ("20 topics of 100 words, 50000 x 5000", 50000, 5000, 20, 100, .6, 20,
                     False), ("10 topics of 30 words, 20000 x 2500", 20000, 2500, 10, 30, .8, 18,
                              True), ("20 topics of 30 words, 20000 x 100000", 20000, 100000, 20,
                                      30, .8, 18, False)), 1):
            if a.only and str(number) not in a.only.split(","):
                continue
            x, label = topics(n, d, k, core, own, words)
            path, dense = pathlib.Path(folder) / "x.mtx", pathlib.Path(folder) / "x.npy"
            write_mtx(path, x)
            if as_dense:
                np.save(dense, x.toarray().astype(np.float32))
            best = plain(x, label, k)
            mean = np.asarray(x.mean(0)).ravel()
            one = (1 - mean @ mean) / best
            for epsilon in a.epsilon.split(","):
                results = {"sparse": [], "dense": [], "pure": []}
                for _ in range(a.runs):
                    results["sparse"].append(nearest(x, run(a.tacit, path, k, epsilon, "1e-6"))[1] /
                                             best)
                    results["pure"].append(nearest(x,
                                                   run(a.tacit, path, k, epsilon, "0",
                                                       ("--sparsity", "24")))[1] / best)
                    if as_dense:
                        results["dense"].append(nearest(x, run(a.tacit, dense, k, epsilon, "1e-6"))[
                            1] / best)
                told = [f"{np.mean(v):8.4f}" if v else f"{'-':>8}" for v in results.values()]
                print(f"{name:38} {epsilon:>7} {' '.join(told)} {one:8.3f}", flush=True)


main()
