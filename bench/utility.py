#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Cost of private k-means relative to plain k-means, beside a floor: mean over 10 runs of `tacit kmeans` with the system's
randomness. Floors are a plain numpy DP-Lloyd (5 rounds, uniform start) at epsilon 1, delta 1e-6.

Usage: bench/utility.py TACIT [--runs 10] [--epsilon 1] [--delta 1e-6] [--only NAME,...] [--data FOLDER]
Needs Debian's python3-numpy and python3-sklearn. FOLDER may hold mnist_x.npy (70000 x 784 uint8)."""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
from sklearn import datasets
from sklearn.cluster import KMeans


def mixture(n, d, k, divisor, rng):
    """k centres uniform in the unit ball, spread 0.35 / sqrt(d), everything divided and clipped to norm 1."""
    c = rng.standard_normal((k, d))
    c *= (rng.random(k) ** (1 / d) / np.linalg.norm(c, axis=1))[:, None]
    x = (c[rng.integers(k, size=n)] + 0.35 / np.sqrt(d) * rng.standard_normal((n, d))) / divisor
    return x / np.maximum(1, np.linalg.norm(x, axis=1))[:, None], c / divisor


def three(rng):
    c = np.array([[.6, 0, 0], [-.3, .5, 0], [-.2, -.4, .4]])
    return c[rng.integers(3, size=10000)] + 0.1 * rng.standard_normal((10000, 3)), c


def boxed(x, lower, upper):
    d = x.shape[1]
    return (x - (lower + upper) / 2) / ((upper - lower) / 2 * np.sqrt(d)), None


def bunch(load):
    x = load().data.astype(float)
    return boxed(x, x.min(0), x.max(0))  # taken as public here, as in the floor's protocol


def mnist(folder):
    x = (np.load(folder / "mnist_x.npy").astype(np.float64) / 255 - 0.1307) / 12
    return x / np.maximum(1, np.linalg.norm(x, axis=1))[:, None], None


# name: (k, floor at epsilon 1 and delta 1e-6, domain, maker)
SETS = {
    "r100_k64": (64, 2.34, "ball", lambda r, f: mixture(100000, 100, 64, 1.2, r)),
    "r20_k64": (64, 1.90, "ball", lambda r, f: mixture(50000, 20, 64, 1.3, r)),
    "r10_k16_1m": (16, 1.69, "ball", lambda r, f: mixture(1000000, 10, 16, 1.4, r)),
    "r3_k3": (3, 1.84, "ball", lambda r, f: three(r)),
    "digits": (10, 1.79, "box", lambda r, f: boxed(datasets.load_digits().data, np.zeros(64), np.full(64, 16.0))),
    "iris": (3, 4.18, "box", lambda r, f: bunch(datasets.load_iris)),
    "wine": (3, 2.82, "box", lambda r, f: bunch(datasets.load_wine)),
    "breast_cancer": (2, 1.96, "box", lambda r, f: bunch(datasets.load_breast_cancer)),
    "mnist": (10, 1.09, "ball", lambda r, f: mnist(f)),
}


def cost(x, c):
    c2 = (c * c).sum(1)
    return float(np.mean(np.concatenate([((b * b).sum(1) + np.min(c2 - 2 * b @ c.T, axis=1)) for b in np.array_split(x, 1 + len(x) // 20000)])))


def plain(x, k, true_centers):
    """The best of a few k-means++ runs and, on synthetic data, of Lloyd from the true centres."""
    small = len(x) * x.shape[1] < 5e6
    best = min(KMeans(k, n_init=1, random_state=s).fit(x).inertia_ for s in range(6 if small else 2)) / len(x)
    if true_centers is not None:
        best = min(best, KMeans(k, init=true_centers, n_init=1).fit(x).inertia_ / len(x))
    return best


def main():
    p = argparse.ArgumentParser()
    p.add_argument("tacit")
    p.add_argument("--runs", type=int, default=10)
    p.add_argument("--epsilon", default="1")
    p.add_argument("--delta", default="1e-6")
    p.add_argument("--only")
    p.add_argument("--data", type=pathlib.Path)
    a = p.parse_args()
    print(f"epsilon {a.epsilon}, delta {a.delta}, {a.runs} runs; cost / best plain k-means cost")
    print(f"{'data':15} {'floor':>6} {'tacit':>7} {'sd':>6} {'worst':>7}  floor/tacit")
    with tempfile.TemporaryDirectory() as folder:
        for name, (k, floor, domain, make) in SETS.items():
            if (a.only and name not in a.only.split(",")) or (name == "mnist" and a.data is None):
                continue
            x, true_centers = make(np.random.default_rng(20), a.data)
            path = pathlib.Path(folder) / "x.npy"
            np.save(path, x)
            best = plain(x, k, true_centers)
            half = 1 / np.sqrt(x.shape[1])
            where = ["--radius", "1"] if domain == "ball" else ["--bounds", f"{-half}:{half}"]
            ratios = []
            for _ in range(a.runs):
                out = subprocess.run([a.tacit, "kmeans", path, "-k", str(k), "--epsilon", a.epsilon, "--delta", a.delta, "--json",
                                      "--quiet", *where], capture_output=True, check=True).stdout
                ratios.append(cost(x, np.array(json.loads(out)["centers"])) / best)
            m = np.mean(ratios)
            told = f"{floor:6.2f}" if float(a.epsilon) == 1 and float(a.delta) == 1e-6 else "     -"
            print(f"{name:15} {told} {m:7.3f} {np.std(ratios):6.3f} {max(ratios):7.3f}  {floor / m:.2f}x", flush=True)


main()
