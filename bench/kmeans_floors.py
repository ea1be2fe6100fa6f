#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The floors of k-means: cost of private k-means relative to the best plain k-means, per data set,
epsilon and method: mean, standard deviation and worst of N runs with the system's randomness. For
auto also the floor it has to stay below, and where it does not win.

Usage: bench/kmeans_floors.py TACIT [--data FOLDER] [--sets floors,stress,peers,real | NAME,...]
       [--epsilon 0.5,1,2] [--methods auto,lloyd,... | all] [--runs 10] [--delta 1e-6]
       [--csv FILE] [--limit SECONDS]
Names of data sets: bench/recipes.py. FOLDER holds NPY files such as mnist_x.npy (70000 x 784, 0 to
255), letter_x.npy, adultnum_x.npy, gasemission_x.npy; without it sets that need a file are left
out. Needs Debian's python3-numpy and python3-sklearn."""
import argparse
import csv
import pathlib
import sys
import tempfile

import numpy as np

from recipes import FLOORS, GROUPS, load
from running import Failed, Tacit, cost, plain


def short(v):
    return f"{v:.4f}" if v < 10 else f"{v:.4g}"


def measure(tacit, path, s, best, epsilon, delta, method, runs):
    """Ratios of all runs; a method that cannot run so says why in its one sentence. Methods that
    only know delta = 0 run with it: that is the stricter promise."""
    try:
        ratios = [cost(s.x, tacit.kmeans(path, s.k, s.domain, epsilon, delta, method)[0]) / best
                  for _ in range(runs)]
        return ratios, ""
    except Failed as why:
        if delta > 0 and "delta" in str(why):
            ratios, told = measure(tacit, path, s, best, epsilon, 0.0, method, runs)
            return ratios, told or "delta 0"
        return [], str(why)


def one_set(tacit, name, s, best, a, writer, verdict):
    one = cost(s.x, s.x.mean(0)[None]) / best
    print(f"\n{name}: n {len(s.x)}, d {s.x.shape[1]}, k {s.k}; one center at the mean: {one:.3g}")
    print(f"  {'method':17}" + "".join(f"{'epsilon ' + format(e, 'g'):>34}" for e in a.epsilon))
    print(f"  {'':17}" + f"{'mean':>11}{'sd':>9}{'worst':>11}   " * len(a.epsilon))
    means = {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.npy"
        np.save(path, s.x)
        for method in a.methods:
            line = f"  {method:17}"
            remarks = set()
            for e in a.epsilon:
                ratios, told = measure(tacit, path, s, best, e, a.delta, method, a.runs)
                remarks.add(told)
                if not ratios:
                    line += f"{'-':>11}{'':23}"
                    continue
                means[method, e] = np.mean(ratios)
                line += (
                    f"{short(np.mean(ratios)):>11}{np.std(ratios):9.2g}{short(max(ratios)):>11}   ")
                for i, ratio in enumerate(ratios):
                    writer.writerow([name, len(s.x), s.x.shape[1], s.k, e, a.delta, method, i,
                                     f"{ratio:.6g}"])
            print(line + "; ".join(sorted(remarks - {""}))[:60], flush=True)
    floors = FLOORS.get(name, {}) if a.delta == 1e-6 else {}
    if floors:
        print(f"  {'floor':17}" + "".join(f"{short(floors[e]):>11}{'':23}" if e in floors
                                          else " " * 34 for e in a.epsilon))
    for e in a.epsilon:
        mine = means.get(("auto", e))
        if mine is None:
            continue
        if e in floors:
            verdict["floors"].append((mine <= floors[e],
                                      f"{name} at {e:g}: {short(mine)}, floor {floors[e]:g} "
                                      f"({(mine - 1) / (floors[e] - 1):.2f} of the "
                                      "allowed excess)"))
        others = {m: v for (m, at), v in means.items() if at == e and m != "auto"}
        better = min(others, key=others.get, default=None)
        if better and others[better] < mine:
            verdict["lost"].append(f"{name} at {e:g}: auto {short(mine)}, {better} "
                                   f"{short(others[better])}")
        verdict["compared"] += bool(others)


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--sets", default="floors")
    p.add_argument("--epsilon", default="0.1,0.5,1,2",
                   type=lambda t: [float(v) for v in t.split(",")])
    p.add_argument("--methods", default="auto,lloyd,dplloyd,grid,lsh-tree")
    p.add_argument("--runs", type=int, default=10)
    p.add_argument("--delta", type=float, default=1e-6)
    p.add_argument("--limit", type=float, default=300, help="seconds a run may take")
    p.add_argument("--csv", default="/dev/null")
    a = p.parse_args()
    tacit = Tacit(a.tacit, a.limit)
    a.methods = tacit.methods() if a.methods == "all" else a.methods.split(",")
    verdict = {"floors": [], "lost": [], "compared": 0}
    print(f"cost / best plain k-means cost; delta {a.delta:g}, {a.runs} runs each")
    with open(a.csv, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow("data n d k epsilon delta method run ratio".split())
        for name in dict.fromkeys(n for group in a.sets.split(",")
                                  for n in GROUPS.get(group, [group])):
            try:
                s = load(name, a.data)
            except FileNotFoundError as why:
                print(f"\n{name}: left out ({why})")
                continue
            one_set(tacit, name, s, plain(s), a, writer, verdict)
    kept = [told for good, told in verdict["floors"] if good]
    broken = [told for good, told in verdict["floors"] if not good]
    print(f"\nfloors kept: {len(kept)} of {len(kept) + len(broken)}")
    for told in broken:
        print("  missed:", told)
    print(f"auto does not win: {len(verdict['lost'])} of {verdict['compared']} comparisons")
    for told in verdict["lost"]:
        print("  ", told)
    sys.exit(1 if broken else 0)


main()
