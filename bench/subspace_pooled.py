#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often a release of k subspaces carries the note that one would do as well, beside what is
true: the cost of the released subspaces over that of q principal components of all rows.

    python3 bench/subspace_pooled.py TACIT [RUNS] [--data FOLDER] [--epsilon E,...]

FOLDER may hold mnist_x.npy and yaleb32_x.npy (means of 2 x 2 pixels; for faces 50 random
combinations of pixels)."""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np


def union(n, d, k, q, noise, seed):
    random = np.random.default_rng(seed)
    u = [np.linalg.qr(random.normal(size=(d, q)))[0] for _ in range(k)]
    y = random.normal(size=(n, q))
    y /= np.linalg.norm(y, axis=1)[:, None]
    x = np.concatenate([part @ v.T for part, v in zip(np.array_split(y, k), u)])
    return x + noise * random.normal(size=x.shape)


def mnist(folder):
    x = np.load(folder / "mnist_x.npy").reshape(-1, 14, 2, 14, 2).mean((2, 4)).reshape(-1, 196)
    return x / 255 / 14


def faces(folder):
    x = np.load(folder / "yaleb32_x.npy").reshape(-1, 1024) / 255
    return x @ np.random.default_rng(1).normal(size=(1024, 50)) / 50 ** .5 / 16


def cost(x, bases):
    x = x / np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
    return np.min([(x ** 2).sum(1) - ((x @ u) ** 2).sum(1) for u in bases], axis=0).mean()


parse = argparse.ArgumentParser()
parse.add_argument("command")
parse.add_argument("runs", nargs="?", type=int, default=20)
parse.add_argument("--data")
parse.add_argument("--epsilon", default="0.3,1,3")
parse.add_argument("--delta", default="1e-6")
o = parse.parse_args()
SETS = [("three subspaces, 5,000 x 5", lambda s: union(5000, 5, 3, 3, .01, s), 3, 3),
        ("three subspaces, 20,000 x 10", lambda s: union(20000, 10, 3, 3, .05, s), 3, 3),
        ("three subspaces, 2,000 x 10", lambda s: union(2000, 10, 3, 3, .1, s), 3, 3),
        ("one subspace, 5,000 x 5", lambda s: union(5000, 5, 1, 3, .05, s), 3, 3),
        ("one subspace, 20,000 x 10", lambda s: union(20000, 10, 1, 3, .1, s), 3, 3)]
if o.data:
    folder = pathlib.Path(o.data)
    SETS = [("mnist, 70,000 x 196", lambda s: mnist(folder), 10, 6),
            ("faces, 2,414 x 50", lambda s: faces(folder), 5, 9)]
with tempfile.TemporaryDirectory() as place:
    path = str(pathlib.Path(place) / "x.npy")
    for name, make, k, q in SETS:
        for epsilon in o.epsilon.split(","):
            noted, ratios, text = 0, [], ""
            for r in range(o.runs):
                x = make(r)
                np.save(path, x)
                argv = [o.command, "subspace", path, "-k", str(k), "-q", str(q), "--radius", "1",
                        "--epsilon", epsilon, "--delta", o.delta, "--json", "--quiet",
                        "--threads", "1", "--insecure-test-seed", str(r + 1)]
                m = json.loads(subprocess.run(argv, capture_output=True, check=True).stdout)
                clipped = x / np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
                one = np.linalg.eigh(clipped.T @ clipped)[1][:, -q:]
                ratios.append(cost(x, m["subspaces"]) / cost(x, [one]))
                own = [n for n in m["notes"] if "without any groups" in n]
                noted += len(own) > 0
                text = own[0] if own else text
            print(f"{name:30s} epsilon {epsilon:4s} note in {noted:2d} of {o.runs}; cost over that "
                  f"of one subspace {np.mean(ratios):.3f} ({min(ratios):.3f} to "
                  f"{max(ratios):.3f})", flush=True)
            if text:
                print("   ", text, flush=True)
