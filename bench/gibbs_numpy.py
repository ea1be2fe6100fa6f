#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Gibbs sampler of Wang, Wang & Singh (2015) as one would write it in numpy, against method
gibbs: prints the ratio of times per iteration. Same model, same column-wise updates with exact
vector draws.
Usage: gibbs_numpy.py BUILD_DIR [iterations]"""
import os
import re
import subprocess
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np


def solve_b(gap):
    """sum 1 / (b + 2 gap) = 1, by bisection."""
    low, high = 1e-12, float(len(gap))
    for _ in range(60):
        middle = (low + high) / 2
        if np.sum(1 / (middle + 2 * gap)) > 1:
            low = middle
        else:
            high = middle
    return high


def draw_vector(b, rng):
    """One unit vector of density exp(x' b x): angular central Gaussian proposals (Kent, Ganeiber &
    Mardia)."""
    values, vectors = np.linalg.eigh(b)
    gap = values[-1] - values
    d = len(gap)
    b = solve_b(gap)
    omega = 1 + 2 * gap / b
    most = -(d - b) / 2 + d / 2 * np.log(d / b)
    while True:
        y = rng.standard_normal(d) / np.sqrt(omega)
        y /= np.linalg.norm(y)
        if (np.log(rng.random()) < -np.sum(gap * y * y) + d / 2 * np.log(np.sum(omega * y * y)) -
            most):
            return vectors @ y


def iterate(x, bases, c, rng):
    k, d, q = bases.shape
    score = np.stack([c * np.sum((x @ u) ** 2, axis=1) for u in bases], axis=1)
    weight = np.exp(score - score.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    z = (rng.random(len(x))[:, None] > weight.cumsum(axis=1)[:, :-1]).sum(axis=1)
    for l in range(k):
        rows = x[z == l]
        a = c * rows.T @ rows
        for r in rng.permutation(q):
            others = np.delete(bases[l], r, axis=1)
            null = np.linalg.svd(others, full_matrices=True)[0][:, q - 1:]
            bases[l][:, r] = null @ draw_vector(null.T @ a @ null, rng)
    return z


def main():
    build, iterations = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 150
    n, d, k, q, sigma, rng = 1000, 10, 3, 3, 0.1, np.random.default_rng(1)
    truth = [np.linalg.qr(rng.standard_normal((d, q)))[0] for _ in range(k)]
    y = rng.standard_normal((n, q))
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    x = np.array([truth[i % k] @ y[i] for i in range(n)]) + sigma * rng.standard_normal((n, d))
    x /= np.maximum(1, np.linalg.norm(x, axis=1, keepdims=True))
    for epsilon in (1.0, 10.0):
        bases = np.stack([np.linalg.qr(rng.standard_normal((d, q)))[0] for _ in range(k)])
        iterate(x, bases, epsilon / 2, rng)
        start = time.process_time()
        for _ in range(iterations):
            iterate(x, bases, epsilon / 2, rng)
        theirs = (time.process_time() - start) / iterations
        text = subprocess.run([f"{build}/bench/subspace_draws", "gibbs", "2", "1", str(epsilon),
                               "pure", "10000"], capture_output=True, text=True, check=True).stdout
        ours = float(re.search(r"([\d.]+) s each", text).group(1)) / 10000
        print(f"epsilon {epsilon:g}: numpy {theirs * 1e6:.0f} us an iteration, method gibbs "
              f"{ours * 1e6:.0f} us: {theirs / ours:.0f} times as fast")


if __name__ == "__main__":
    main()
