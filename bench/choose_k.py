#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What `tacit kmeans -k auto` chooses: counts over runs, beside the number of clusters there are
(1: rows without groups), and the floors.

Usage: bench/choose_k.py TACIT [--data FOLDER] [--sets NAME,...] [--epsilon 0.25,1] [--runs 10]
       [--delta 1e-6] [--own-too]

Generated sets: m = equal mixture, u = sizes from 1 to 10, e = elongated clusters; then so many
clusters, d columns, s = least distance of two centers in standard deviations. blobD: one Gaussian,
long with an e; boxD: uniform; t3: Student's t with 3 degrees in 5 columns; expo3: three exponential
columns. Each run has fresh rows. Real sets (s1, birch2, letter, gas, adult) need --data; their
noise alone is fresh. --own-too: CPU time over that of the same run with k given, the most."""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import tempfile

import numpy as np

from recipes import load

MIXTURES = ("m2d2s4,m2d2s6,m3d5s5,m5d2s5,m5d10s6,m8d30s6,m10d2s4,m10d3s6,m10d8s5,m20d2s6,"
            "m20d10s7,m40d3s6,m60d2s6,m60d10s8,e6d2s9,e8d6s9,u8d2s7,u10d6s7").split(",")
NOTHING = "blob2,blob8,blob8e,blob40,box2,box5,box10,t3".split(",")
REAL = ["s1", "birch2"]
MOST = {"birch2": 150, "letter": 60, "s1": 30}
MOST_OF = {20: 40, 40: 80, 60: 100}
# name, epsilon at least, least and most k: in every run
FLOORS = [("birch2", 0.5, 95, 105), ("s1", 1, 14, 16), ("letter", 1, 2, 60)]


def spread_out(r, k, d, apart):
    """k centers at least so far apart, in a cube that is as small as allows it."""
    side = apart * 1.3 * k ** (1 / min(d, 3))
    while True:
        c = np.empty((0, d))
        for _ in range(4000):
            p = r.uniform(0, side, (1, d))
            if len(c) == 0 or ((c - p) ** 2).sum(1).min() >= apart * apart:
                c = np.vstack([c, p])
            if len(c) == k:
                return c
        side *= 1.1


def mixture(r, kind, k, d, apart):
    n = 50000 if k >= 40 else 20000
    c = spread_out(r, k, d, apart)
    share = np.geomspace(1, 0.1, k) if kind == "u" else np.ones(k)
    label = r.choice(k, n, p=share / share.sum())
    z = r.standard_normal((n, d))
    for i in range(k if kind == "e" else 0):
        turn = np.linalg.qr(r.standard_normal((d, d)))[0]
        z[label == i] = (z[label == i] * np.geomspace(1.5, 0.5, d)) @ turn
    return c[label] + z


def made(name, seed):
    """Rows in [0, 1] and the number of clusters, or None."""
    r = np.random.default_rng([seed, sum(map(ord, name))])
    parts = re.fullmatch(r"([mue])(\d+)d(\d+)s(\d+)", name)
    lump = re.fullmatch(r"(blob|box|t3|expo)(\d*)(e?)", name)
    n, d = 20000, int(lump[2] or 5) if lump else 0
    if parts:
        x = mixture(r, parts[1], int(parts[2]), int(parts[3]), int(parts[4]))
    elif lump and lump[1] == "blob":
        x = r.standard_normal((n, d)) * (np.geomspace(3, 0.3, d) if lump[3] else 1)
    elif lump and lump[1] == "box":
        x = r.random((n, d))
    elif lump:
        x = (np.clip(r.standard_t(3, (n, d)), -30, 30) if lump[1] == "t3"
             else np.minimum(r.exponential(1, (n, d)), 12))
    else:
        return None
    low, high = (-30, 30) if name == "t3" else (x.min(), x.max())
    pad = 0.05 * (high - low)
    return np.clip((x - low + pad) / (high - low + 2 * pad), 0, 1), int(parts[2]) if parts else 1


def call(argv):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run([str(a) for a in argv], capture_output=True, check=True).stdout
    return json.loads(out), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def tell(found):
    """"15 x9 14~ x1": a number and how often; ~ weak, ? none or noisy."""
    mark = {"clear": "", "weak": "~"}
    words = [f"{m['k']}{mark.get(m['k_choice']['verdict'], '?')}" for m in found]
    return "  ".join(f"{word} x{words.count(word)}"
                     for word in sorted(set(words), key=lambda word: int(word.strip("~?"))))


def runs_of(a, name, epsilon, folder):
    found, times = [], []
    for run in range(a.runs):
        drawn = made(name, run)
        if drawn is None:
            s = load(name, a.data)
            drawn = s.x, s.k
        x, k = drawn
        np.save(folder / "x.npy", x)
        most = MOST.get(name, MOST_OF.get(k, 20))
        argv = [a.tacit, "kmeans", folder / "x.npy", "--epsilon", epsilon, "--delta", a.delta,
                "--bounds", "0:1", "--json", "--quiet", "--threads", 1]
        model, used = call([*argv, "-k", "auto", "--k-max", most])
        found.append(model)
        if a.own_too:
            times.append(used / max(call([*argv, "-k", most])[1], 1e-3))
    return found, k, times


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--sets", default=",".join(MIXTURES + NOTHING + REAL))
    p.add_argument("--epsilon", default="0.25,1")
    p.add_argument("--delta", default="1e-6")
    p.add_argument("--runs", type=int, default=10)
    p.add_argument("--own-too", action="store_true")
    a = p.parse_args()
    groups = {}
    broken = []
    with tempfile.TemporaryDirectory() as folder:
        for name in a.sets.split(","):
            for epsilon in a.epsilon.split(","):
                try:
                    found, k, times = runs_of(a, name, epsilon, pathlib.Path(folder))
                except FileNotFoundError:
                    continue
                ks = [m["k"] for m in found]
                time = f"   CPU time x{np.median(times):.2f}" if times else ""
                print(f"{name:9} epsilon {epsilon:5} k {k:3}   {tell(found)}{time}", flush=True)
                kind = "mixtures" if name in MIXTURES else "no groups" if name in NOTHING else None
                if kind:
                    groups.setdefault((kind, epsilon), []).extend(c == k for c in ks)
                broken += [f"{name} at {epsilon}: {c}" for floor, least, low, high in FLOORS
                           for c in ks if floor == name and float(epsilon) >= least
                           and not low <= c <= high]
    for (kind, epsilon), right in groups.items():
        share = np.mean(right)
        print(f"{kind:9} epsilon {epsilon:5} exact {sum(right)} of {len(right)}: {share:.3f} +- "
              f"{np.sqrt(share * (1 - share) / len(right)):.3f}")
        if share < 0.95 and float(epsilon) >= 1:
            broken.append(f"{kind} at {epsilon}: {share:.3f}")
    print("floors:", "; ".join(broken) if broken else "all hold")


main()
