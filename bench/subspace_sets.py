# SPDX-License-Identifier: Apache-2.0
"""Rows near subspaces, with the truth, and running tacit subspace on them. What the two figures of subspace clustering share."""
import json
import math
import pathlib
import subprocess

import numpy as np
from scipy.optimize import linear_sum_assignment

from running import Failed

SETS = {"1": dict(rows=5000, columns=5, subspaces=3, dimension=3, noise=0.01),
        "2": dict(rows=1000, columns=10, subspaces=3, dimension=3, noise=0.1)}


class Union:
    """x: rows of length 1 at most; truth: k x d x q."""

    def __init__(self, name, x, truth):
        self.name, self.truth = name, truth
        self.x = x / np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
        self.k, self.d, self.q = truth.shape
        self.delta = 1 / (len(x) * math.log(len(x)))


def draw(command, which, seed, folder):
    """One of the paper's synthetic sets, drawn by tacit generate."""
    path, truth = pathlib.Path(folder) / "x.npy", pathlib.Path(folder) / "truth.json"
    argv = [command, "generate", "subspaces", "--seed", str(seed), "-o", str(path), "--truth-out", str(truth)]
    subprocess.run(argv + [str(w) for name, value in SETS[which].items() for w in ("--" + name, value)], check=True)
    return Union(which, np.load(path), np.array(json.loads(truth.read_text())["subspaces"]))


def faces(folder, seed):
    """Extended Yale B as the paper takes it: 5 people at random, 64 images each where there are as many, each person put on the
    9-dimensional affine subspace of his or her principal components, then 50 random Gaussian combinations of pixels. Rows are
    divided by 16: the length of an image of half of full brightness, a number that does not come from the rows."""
    x, y = (np.load(pathlib.Path(folder) / f"yaleb32_{c}.npy") for c in "xy")
    random = np.random.default_rng(seed)
    rows, people = [], []
    for person in random.choice(np.unique(y), 5, replace=False):
        own = x[y == person][:64] / 255.0
        middle = own.mean(0)
        v = np.linalg.svd(own - middle, full_matrices=False)[2][:9]
        rows.append(middle + (own - middle) @ v.T @ v)
        people.append(len(own))
    z = np.vstack(rows) @ random.normal(size=(1024, 50)) / math.sqrt(50) / 16
    parts = np.split(z, np.cumsum(people)[:-1])
    return Union("faces", z, np.array([np.linalg.svd(p, full_matrices=False)[2][:9].T for p in parts]))


def cost(x, bases):
    """Mean squared distance to the nearest subspace."""
    rest = [((x - x @ u @ u.T) ** 2).sum(1) for u in bases]
    return float(np.min(rest, axis=0).mean())


def gap(a, b):
    """d_W with |UU' - VV'|_F, the norm of the paper's figures."""
    far = [[2 * max(0.0, u.shape[1] - float(((u.T @ v) ** 2).sum())) for v in b] for u in a]
    i, j = linear_sum_assignment(far)
    return math.sqrt(float(np.array(far)[i, j].sum()))


def pooled(s):
    """k times the one subspace that is best for all rows."""
    u = np.linalg.svd(s.x, full_matrices=False)[2][:s.q].T
    return np.array([u] * s.k)


def chance(s, seed=0):
    random = np.random.default_rng(seed)
    return np.array([np.linalg.qr(random.normal(size=(s.d, s.q)))[0] for _ in range(s.k)])


class Flats:
    """tacit subspace."""

    def __init__(self, command, limit):
        self.command, self.limit = command, limit

    def methods(self):
        out = subprocess.run([self.command, "subspace", "--list-methods", "--json"], capture_output=True, check=True).stdout
        return [m["name"] for m in json.loads(out)]

    def run(self, s, path, words):
        """The release as a dict; rows are in path."""
        argv = [self.command, "subspace", str(path), "-k", str(s.k), "-q", str(s.q), "--radius", "1", "--json", "--quiet", *words]
        try:
            done = subprocess.run(argv, capture_output=True, timeout=self.limit)
        except subprocess.TimeoutExpired:
            raise Failed(f"over {self.limit:g} s") from None
        if done.returncode:
            raise Failed(done.stderr.decode().strip().splitlines()[-1] if done.stderr else f"exit {done.returncode}")
        return json.loads(done.stdout)

    def private(self, s, path, epsilon, words):
        """Bases of a private run under replacement, at the paper's delta or, for methods that know delta = 0 alone, at that."""
        budget = ["--epsilon", repr(epsilon), "--neighbors", "replace", *words]
        try:
            return np.array(self.run(s, path, [*budget, "--delta", repr(s.delta)])["subspaces"]), s.delta
        except Failed as why:
            if "delta" not in str(why):
                raise
            return np.array(self.run(s, path, budget)["subspaces"]), 0.0
