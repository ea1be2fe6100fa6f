# SPDX-License-Identifier: Apache-2.0
"""Every data set of the benchmarks, by name: load(name, folder) gives its rows, k and declared domain. Synthetic sets have
a fixed seed and take numbers after colons, as in loose:100:8:16; real ones are read from a folder of NPY files."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Set:
    x: np.ndarray
    k: int
    domain: list  # options of the command that declare what values are possible
    truth: np.ndarray = None  # centers the rows were drawn around


BALL = ["--radius", "1"]
BOX = ["--bounds", "0:1"]


# ---- mixtures ------------------------------------------------------------------------------------------------------
def in_ball(k, d, radius, r):
    c = r.standard_normal((k, d))
    return c * (radius * r.random(k) ** (1 / d) / np.linalg.norm(c, axis=1))[:, None]


def clip_ball(x):
    return x / np.maximum(1, np.linalg.norm(x, axis=1))[:, None]


def around(c, sizes, sd, r):
    """Rows around centers, sizes rows each (one number: n rows, centers drawn alike); sd: one for all, or per center."""
    k, d = c.shape
    label = r.integers(k, size=sizes) if np.isscalar(sizes) else np.repeat(np.arange(k), sizes)
    return c[label] + np.broadcast_to(sd, k)[label][:, None] * r.standard_normal((len(label), d))


def gaussians(r, d, n, k=64):
    """Balcan et al. 2017, Chang et al. 2021: centers in a ball of radius 7/8, spread an eighth of it over all columns."""
    c = in_ball(k, d, 0.875, r)
    return Set(clip_ball(around(c, n, 0.125 / np.sqrt(d), r)), k, BALL, c)


def overlapping(r, d, n, k, divisor):
    c = in_ball(k, d, 1, r)
    return Set(clip_ball(around(c, n, 0.35 / np.sqrt(d), r) / divisor), k, BALL, c / divisor)


def three(r):
    c = np.array([[.6, 0, 0], [-.3, .5, 0], [-.2, -.4, .4]])
    return Set(around(c, 10000, 0.1, r), 3, BALL, c)


def cube(r, n=20000, d=8, k=16, sd=0.03):
    c = 0.1 + 0.8 * r.random((k, d))
    return Set(np.clip(around(c, n, sd, r), 0, 1), k, BOX, c)


# ---- stress: what declared bounds, sizes, scales and tails do ------------------------------------------------------
def loose(r, f=100, d=8, k=16):
    """Data fill 1/(2f) of the declared cube's side, off its middle."""
    s = cube(r, 20000, int(d), int(k))
    shrink = lambda v: 0.75 + (v - 0.5) / (2 * f)
    return Set(shrink(s.x), s.k, BOX, shrink(s.truth))


def unbalsyn(r, d=10):
    """Two clusters each of 25000, 2500, 250 and 25 rows."""
    s = cube(r, 8, int(d), 8)
    sizes = [25000, 25000, 2500, 2500, 250, 250, 25, 25]
    return Set(np.clip(around(s.truth, sizes, 0.03, r), 0, 1), 8, BOX, s.truth)


def nest(r, d=2, third=0.01):
    """Clusters within a cluster within a cluster: 3 + 3 + 4 of the same tiny width, at scales 1 : second : third."""
    d, scales = int(d), (1, 0.07 if third < 0.01 else 0.1, third)
    c, middle = [], np.full(d, 0.5)
    for scale in scales:
        spread = middle + 0.4 * scale * spread_out(4, d, r)
        c.extend(spread[:-1] if scale != scales[-1] else spread)
        middle = spread[-1]
    c = np.array(c)
    return Set(np.clip(around(c, 20000, 0.125 * third, r), 0, 1), len(c), BOX, c)


def spread_out(k, d, r):
    """k points in [-1, 1]^d, the best separated of 200 draws."""
    apart = lambda p: min(np.linalg.norm(p[i] - p[j]) for i in range(k) for j in range(i))
    return max((2 * r.random((k, d)) - 1 for _ in range(200)), key=apart)


def scales(r, d=2):
    s = cube(r, 8, int(d), 8)
    return Set(np.clip(around(s.truth, 20000, np.geomspace(0.0005, 0.06, 8), r), 0, 1), 8, BOX, s.truth)


def outl(r, share=0.01, d=8, k=16, part=0.5):
    """Uniform outliers; the other rows fill the given part of the box."""
    s = cube(r, 20000, int(d), int(k))
    x = 0.5 + (s.x - 0.5) * part
    many = int(share * len(x))
    x[:many] = r.random((many, int(d)))
    return Set(x, s.k, BOX)


def logn(r, sigma=0.5):
    """Log-normal columns around 8 centers; bounds of a million."""
    z = around(4 + 4 * r.random((8, 5)), 20000, sigma, r)
    return Set(np.clip(np.exp(z), 0, 1e6), 8, ["--bounds", "0:1000000"])


def dup(r, k=4):
    c = r.random((int(k), 5))
    return Set(c[r.integers(int(k), size=20000)] + 0.02 * np.sign(r.random((20000, 1)) - 0.5), int(k), ["--bounds", "-0.1:1.1"])


def const(r):
    s = cube(r, 20000, 5, 8)
    return Set(np.hstack([s.x, np.full((20000, 5), 0.3)]), 8, BOX)


def d1(r, k=20):
    c = (np.arange(int(k)) + 0.5)[:, None] / k
    return Set(np.clip(around(c, 20000, 0.1 / k, r), 0, 1), int(k), BOX, c)


def aniso(r, d=2, k=10):
    s = cube(r, 1, int(d), int(k))
    x = s.truth[r.integers(int(k), size=20000)]
    for j in range(int(k)):
        pick = (x == s.truth[j]).all(1)
        x[pick] += r.standard_normal((pick.sum(), int(d))) @ (np.diag(np.geomspace(0.06, 0.01, int(d))) @ np.linalg.qr(r.standard_normal((int(d), int(d))))[0])
    return Set(np.clip(x, 0, 1), int(k), BOX)


def wrongk(r, true=5, asked=50):
    return Set(cube(r, 20000, 5, int(true)).x, int(asked), BOX)


def lump(r, d=2, shape=0):
    """No clusters: 0 a round Gaussian, 1 a uniform box, 2 a long Gaussian."""
    z = r.random((20000, int(d))) if shape == 1 else 0.5 + 0.1 * r.standard_normal((20000, int(d)))
    return Set(np.clip(0.5 + (z - 0.5) * (2.0 ** -np.arange(int(d)) if shape == 2 else 1), 0, 1), 1, BOX)


def rfm(r):
    """Customers: recency in days, frequency, money spent: two heavy tails."""
    n = 20000
    x = np.column_stack([np.minimum(365, r.exponential(60, n)), np.minimum(5000, 1 + r.pareto(1.2, n)),
                         np.minimum(1e6, np.exp(5 + 1.3 * r.standard_normal(n)))])
    return Set(x / [365, 5000, 1e6], 5, BOX)


# ---- real sets -----------------------------------------------------------------------------------------------------
def rows(folder, name):
    if folder is None:
        raise FileNotFoundError(f"{name}: give the folder of NPY files with --data")
    return np.load(folder / f"{name}_x.npy").astype(np.float64)


def boxed(x, lower, upper, k):
    """Columns to [0, 1] by declared bounds."""
    lower, upper = np.asarray(lower, float), np.asarray(upper, float)
    return Set(np.clip((x - lower) / (upper - lower), 0, 1), k, BOX)


def bundled(name, k):
    from sklearn import datasets
    x = getattr(datasets, "load_" + name)().data.astype(float)
    if name == "digits":
        return boxed(x, np.zeros(64), np.full(64, 16), k)
    return boxed(x, x.min(0), x.max(0), k)  # taken as public here, for all methods alike


def mnist_ball(folder):
    return Set(clip_ball((rows(folder, "mnist") / 255 - 0.1307) / 12), 10, BALL)


def gas(folder):
    x = rows(folder, "gasemission")
    return boxed(x, [-10, 980, 20, 2, 15, 1000, 500, 100, 9, 0, 25], [40, 1040, 101, 8, 45, 1101, 551, 180, 16, 45, 120], 6)


ADULT = [17, 0, 1, 0, 0, 1], [90, 1.5e6, 16, 99999, 4500, 99]

SYNTHETIC = {
    "g100": lambda r: gaussians(r, 100, 100000), "g20": lambda r: gaussians(r, 20, 50000), "d3": three,
    "r100": lambda r: overlapping(r, 100, 100000, 64, 1.2), "r20": lambda r: overlapping(r, 20, 50000, 64, 1.3),
    "r10": lambda r: overlapping(r, 10, 1000000, 16, 1.4),
    "g": lambda r, n, d, k, sd=0.03: cube(r, int(n), int(d), int(k), sd),
    "loose": loose, "unbalsyn": unbalsyn, "nest": nest, "scales": scales, "outl": outl,
    "outlfar": lambda r, share=0.01, d=8, k=16: outl(r, share, d, k, 0.05), "logn": logn, "dup": dup, "const": const,
    "d1": d1, "aniso": aniso, "wrongk": wrongk, "rfm": rfm, "lump": lump,
}
REAL = {
    "mnist": lambda f: boxed(rows(f, "mnist"), 0, 255, 10), "mnistball": mnist_ball,
    "letter": lambda f: boxed(rows(f, "letter"), 0, 15, 26), "gas": gas,
    "adult": lambda f: boxed(rows(f, "adultnum"), *ADULT, 3),
    "lifesci": lambda f: boxed(rows(f, "lifesci"), -15, 15, 3),
    "diabetes": lambda f: boxed(rows(f, "diabetes130num"), 0, [100, 14, 132, 6, 81, 76, 76, 76, 16], 8),
    "s1": lambda f: boxed(rows(f, "s1"), 0, 1e6, 15), "birch2": lambda f: boxed(rows(f, "birch2"), 0, 1e6, 100),
    "digits": lambda f: bundled("digits", 10), "iris": lambda f: bundled("iris", 3),
    "wine": lambda f: bundled("wine", 3), "breast_cancer": lambda f: bundled("breast_cancer", 2),
}

# What auto has to stay below: mean cost relative to plain k-means, by epsilon, at delta 1e-6.
FLOORS = {
    "g100": {.1: 5.3, .5: 1.03, 1: 1.01, 2: 1.005}, "g20": {.1: 11, .5: 1.03, 1: 1.01, 2: 1.01},
    "d3": {.1: 1.01, .5: 1.001, 1: 1.001, 2: 1.001}, "mnist": {.1: 1.12, .5: 1.012, 1: 1.011, 2: 1.006},
    "letter": {.5: 1.08, 1: 1.05, 2: 1.03}, "gas": {.5: 1.01, 1: 1.011, 2: 1.01}, "adult": {.5: 1.03, 1: 1.03, 2: 1.02},
    "loose:100:8:16": {1: 1.01}, "loose:1000:8:16": {1: 1.2}, "unbalsyn:10": {1: 1.01}, "nest:2:0.002": {1: 1.01},
}
GROUPS = {
    "floors": list(FLOORS),
    "peers": ["r100", "r20", "r10", "d3", "digits", "iris", "wine", "breast_cancer", "mnistball"],
    "stress": ["loose:10:8:16", "loose:100:8:16", "loose:1000:8:16", "unbalsyn:2", "unbalsyn:10", "nest:2", "nest:8",
               "nest:2:0.002", "scales:2", "scales:8", "outl:0.01", "outl:0.1", "outlfar:0.01", "outlfar:0.1", "logn:0.5",
               "logn:1.5", "rfm", "dup:4", "const", "d1:20", "aniso:2:10", "aniso:10:10", "wrongk:5:50", "wrongk:10:3",
               "g:1000:5:10", "g:8000:6:12:0.04", "g:30000:30:24:0.06"],
    "real": ["s1", "birch2", "lifesci", "diabetes", "letter", "gas", "adult", "digits", "mnist"],
}


def load(name, folder=None, seed=20):
    kind, *numbers = name.split(":")
    if kind in SYNTHETIC:
        return SYNTHETIC[kind](np.random.default_rng(seed), *map(float, numbers))
    if kind in REAL:
        return REAL[kind](folder)
    raise KeyError(f"no data set is called {name}; there are {', '.join([*SYNTHETIC, *REAL])}")
