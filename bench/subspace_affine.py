#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Affine subspaces: what --affine loses where linear subspaces would do, and what it finds where
they would not. Fresh rows in every run; means with their standard errors.

    python3 bench/subspace_affine.py TACIT [RUNS] [--sets "NAME;..."] [--epsilon E,...] [--delta D]

cost: mean squared distance of a row from its nearest subspace over that from the true ones.
d_W: distance of the directions from the true ones, with |UU' - VV'|."""
import argparse
import json
import math
import pathlib
import subprocess
import tempfile

import numpy as np
from scipy.optimize import linear_sum_assignment

# rows, columns, k, q, noise, where the subspaces are, lengths of the rows
SETS = {
    "linear": dict(n=20000, d=10, k=3, q=3, noise=.05, at="origin"),
    "linear, 20 columns": dict(n=50000, d=20, k=4, q=2, noise=.05, at="origin"),
    "shared point": dict(n=20000, d=10, k=3, q=3, noise=.05, at="point"),
    "shared point, one-sided": dict(n=20000, d=10, k=3, q=2, noise=.05, at="point", half=True),
    "apart": dict(n=20000, d=10, k=3, q=3, noise=.05, at="apart"),
    "apart, 20 columns": dict(n=50000, d=20, k=4, q=2, noise=.05, at="apart"),
    "parallel": dict(n=20000, d=6, k=3, q=2, noise=.05, at="parallel"),
}


def draw(s, seed):
    """Rows in the ball of radius 2, directions (k x d x q) and a point of each subspace."""
    random = np.random.default_rng(seed)
    k, d, q = s["k"], s["d"], s["q"]
    u = np.array([np.linalg.qr(random.normal(size=(d, q)))[0] for _ in range(k)])
    far = random.normal(size=(k, d))
    far *= .7 / np.linalg.norm(far, axis=1)[:, None]
    point = {"origin": np.zeros((k, d)), "point": np.tile(far[0], (k, 1)), "apart": far,
             "parallel": np.outer(np.arange(k) - (k - 1) / 2, far[0])}[s["at"]]
    if s["at"] == "parallel":
        u = np.array([np.linalg.qr(np.c_[far[0], random.normal(size=(d, q))])[0][:, 1:]] * k)
    label = np.arange(s["n"]) % k
    y = random.normal(size=(s["n"], q))
    y /= np.linalg.norm(y, axis=1)[:, None]
    if s.get("half"):
        y = np.abs(y)
    x = point[label] + np.einsum("ndq,nq->nd", u[label], y)
    return x + s["noise"] * random.normal(size=x.shape), u, point


def cost(x, u, point):
    best = np.full(len(x), np.inf)
    for v, p in zip(u, point):
        r = x - p
        best = np.minimum(best, (r ** 2).sum(1) - ((r @ v) ** 2).sum(1))
    return float(best.mean())


def gap(a, b):
    far = [[2 * max(0., u.shape[1] - float(((u.T @ v) ** 2).sum())) for v in b] for u in a]
    i, j = linear_sum_assignment(far)
    return math.sqrt(float(np.array(far)[i, j].sum()))


def run(command, path, s, epsilon, delta, seed, words, k=None, q=None):
    argv = [command, "subspace", path, "-k", str(k or s["k"]), "-q", str(q or s["q"]), "--radius",
            "2", "--epsilon", repr(epsilon), "--delta", delta, "--json", "--quiet", "--threads",
            "1", "--insecure-test-seed", str(seed), *words]
    m = json.loads(subprocess.run(argv, capture_output=True, check=True).stdout)
    u = np.array(m["subspaces"])
    point = np.array(m["offsets"]) if m["offsets"] else np.zeros(u.shape[:2])
    return u, point


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("command")
    parse.add_argument("runs", nargs="?", type=int, default=10)
    parse.add_argument("--sets")
    parse.add_argument("--epsilon", default="0.3,1,3")
    parse.add_argument("--delta", default="1e-6", help="0: pure privacy")
    parse.add_argument("--choose", action="store_true", help="-k auto -q auto instead")
    o = parse.parse_args()
    for name in (o.sets.split(";") if o.sets else SETS):
        s = SETS[name]
        for epsilon in map(float, o.epsilon.split(",")):
            tables, picks = {}, {}
            for r in range(o.runs):
                x, u, point = draw(s, 1000 + r)
                with tempfile.TemporaryDirectory() as folder:
                    path = str(pathlib.Path(folder) / "x.npy")
                    np.save(path, x)
                    true = cost(x, u, point)
                    for word in ((), ("--affine",)):
                        if word == () and s["at"] != "origin":
                            continue
                        key = "affine" if word else "linear"
                        a, p = run(o.command, path, s, epsilon, o.delta, r + 1, word,
                                   *(("auto", "auto") if o.choose else ()))
                        picks.setdefault(key, []).append((len(a), a.shape[2]))
                        off = gap(a, u) if a.shape == u.shape else math.nan
                        tables.setdefault(key, []).append((cost(x, a, p) / true, off))
            for key, rows in tables.items():
                t = np.array(rows)
                mean, se = t.mean(0), t.std(0, ddof=1) / math.sqrt(len(t))
                line = (f"{name:26s} epsilon {epsilon:<4g} {key:7s} cost {mean[0]:7.3f} +- "
                        f"{se[0]:.3f}  d_W {mean[1]:6.3f} +- {se[1]:.3f}")
                if o.choose:
                    right = sum(p == (s["k"], s["q"]) for p in picks[key])
                    line += f"  k, q right in {right} of {len(t)}: {sorted(picks[key])}"
                print(line, flush=True)


if __name__ == "__main__":
    main()
