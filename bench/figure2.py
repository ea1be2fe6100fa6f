#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figure 2 of Balcan, Dick, Liang, Mou & Zhang (2017) for every method: (a-c) the k-means objective
against k = 2 .. 64 at epsilon 1 on MNIST, on a third public set and on 64 Gaussians in R^100; (d)
against epsilon on MNIST with k = 10. 5 runs each with the system's randomness, beside k-means++
without privacy. Writes OUT.csv (every run) and OUT.svg.

Usage: bench/figure2.py TACIT [--data FOLDER] [--out bench-figure2] [--quick] [--runs 5]
       [--delta 1e-6] [--third letter] [--methods all] [--limit SECONDS] [--plot-only]
Runs found in OUT.csv are not repeated: an interrupted figure goes on where it stopped, --plot-only
draws what there is. The paper's third set, CIFAR-10 features of an Inception network, has no public
file; letter (UCI, 20000 x 16) stands in for it, or any other name of bench/recipes.py. Without
FOLDER, scikit-learn's bundled digits (1797 x 64) stand in for MNIST and for the third set. --quick:
2 runs, three values of k and of epsilon, a tenth of the rows. Methods that only know delta = 0 run
with it (the stricter promise) and say so; a run over the limit (the paper: "not able to run")
leaves a gap."""
import argparse
import csv
import pathlib
import tempfile

import numpy as np
from sklearn.cluster import KMeans

import svg
from recipes import load
from running import Failed, Tacit, cost

PLAIN = "k-means++ (not private)"
COLORS = {"auto": "#d1232a", "lloyd": "#1f6fb4", "sulq": "#7b5ea7", "dplloyd": "#2a9d8f",
          "grid": "#b8860b", "sample-aggregate": "#9aa3ad", "kvariates": "#c77dab",
          "lsh-tree": "#4c8c3b", "balcan": "#e07b39", PLAIN: "#1c2430"}
FIELDS = "panel data n d k epsilon delta method run objective remark".split()


def plan(a):
    """(panel, data, values of k, values of epsilon), and what each panel is called."""
    mnist, third = ("mnist", a.third) if a.data else ("digits", "digits")
    ks = [2, 8, 64] if a.quick else [2, 4, 8, 16, 32, 64]
    epsilons = [0.1, 1.0, 4.0] if a.quick else [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0]
    jobs = [("a", mnist, ks, [1.0]), ("c", "g100", ks, [1.0]), ("d", mnist, [10], epsilons)]
    return jobs[:1] + ([("b", third, ks, [1.0])] if third != mnist else []) + jobs[1:]


def run_all(tacit, a, done, writer, flush):
    methods = tacit.methods() if a.methods == "all" else a.methods.split(",")
    known = set(tuple(r[f] for f in ("panel", "data", "k", "epsilon", "method", "run"))
                for r in done)
    dropped = {(r["panel"], r["method"]) for r in done if r["objective"] == ""}
    plain = {(r["data"], r["k"], r["run"]): float(r["objective"]) for r in done
             if r["method"] == PLAIN}  # knows no epsilon
    for panel, data, ks, epsilons in plan(a):
        s = load(data, a.data)
        if a.quick and len(s.x) > 10000:
            s.x = np.ascontiguousarray(
                s.x[np.random.default_rng(1).permutation(len(s.x))[:len(s.x) // 10]])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.npy"
            np.save(path, s.x)
            for epsilon in epsilons:
                for k in ks:
                    for method in [PLAIN, *methods]:
                        for i in range(a.runs):
                            key = (panel, data, str(k), repr(epsilon), method, str(i))
                            if key in known or (panel, method) in dropped:
                                continue
                            value, remark, delta = None, "", a.delta
                            try:
                                if method == PLAIN:
                                    fit = (data, str(k), str(i))
                                    if fit not in plain:
                                        plain[fit] = KMeans(k, n_init=1, random_state=i).fit(
                                            s.x).inertia_ / len(s.x)
                                    value = plain[fit]
                                else:
                                    try:
                                        c, _ = tacit.kmeans(path, k, s.domain, epsilon, delta,
                                                            method)
                                    except Failed as why:
                                        if delta == 0 or "delta" not in str(why):
                                            raise
                                        delta, remark = 0.0, "delta 0"
                                        c, _ = tacit.kmeans(path, k, s.domain, epsilon, delta,
                                                            method)
                                    value = cost(s.x, c)
                            except Failed as why:
                                remark = str(why)
                                dropped.add((panel, method))
                            row = dict(zip(FIELDS, [panel, data, len(s.x), s.x.shape[1], k,
                                                    repr(epsilon), delta, method, i,
                                                    "" if value is None else f"{value:.7g}",
                                                    remark]))
                            writer.writerow(row)
                            done.append({f: str(v) for f, v in row.items()})
                            flush()
                        told = [float(r["objective"]) for r in done
                                if (r["panel"], r["k"], r["epsilon"], r["method"]) ==
                                (panel, str(k), repr(epsilon), method) and r["objective"]]
                        print(f"({panel}) {data:7} k {k:2} epsilon {epsilon:<5g} {method:24} "
                              + (f"{np.mean(told):.5g}" if told else "-"), flush=True)


def line(rows, method, x_of):
    """One method's mean with a band of one standard deviation, along x."""
    points, pure = [], any(r["remark"] == "delta 0" for r in rows)
    for x in sorted({x_of(r) for r in rows}):
        v = np.array([float(r["objective"]) for r in rows if x_of(r) == x])
        points.append((x, v.mean(), max(v.mean() - v.std(), v.min()), v.mean() + v.std()))
    own = method in ("auto", PLAIN)
    return {"name": "k-means++" if method == PLAIN else method + (" (pure)" if pure else ""),
            "color": COLORS.get(method, "#777777"), "points": points, "width": 2.6
            if method == "auto" else 1.6, "dash": "5 3" if method == PLAIN else "", "own": own}


def draw(done, path, delta, quick):
    panels = []
    for panel in "abcd":
        rows = [r for r in done if r["panel"] == panel]
        if not rows:
            continue
        x_of = (lambda r: float(r["epsilon"])) if panel == "d" else (lambda r: float(r["k"]))
        names = sorted({r["method"] for r in rows}, key=lambda m: list(COLORS).index(m)
                       if m in COLORS else 99)
        lines = [line(mine, m, x_of) for m in names
                 if (mine := [r for r in rows if r["method"] == m and r["objective"]])]
        lines.sort(key=lambda each: each["own"])  # auto and plain on top
        roof = 3 * max((p[1] for each in lines if each["own"] for p in each["points"]),
                       default=np.inf)
        # they would flatten the others
        above = [each["name"] for each in lines if min(p[1] for p in each["points"]) > roof]
        lines = [each for each in lines if each["name"] not in above]
        unable = [m for m in names if all(r["objective"] == "" for r in rows if r["method"] == m)]
        first = rows[0]
        called = {"mnist": "MNIST", "g100": "64 Gaussians",
                  "digits": "digits (scikit-learn)"}.get(first["data"], first["data"])
        title = (f"({panel}) {called}, {int(first['n']):,} x {first['d']}" +
                 (f", k = {first['k']}" if panel == "d" else ", ε = 1"))
        panels.append(svg.Panel(title, "ε" if panel == "d" else "k", "mean squared distance", lines,
                                sorted({x_of(r) for r in rows}),
                                "; ".join(f"{what}: {', '.join(which)}"
                                          for what, which in (("far above", above),
                                                              ("not able to run", unable))
                                          if which)))
    runs = 1 + max(int(r["run"]) for r in done)
    told = [f"Mean of {runs} runs, band of one standard deviation" if runs > 1 else "One run",
            f"δ = {delta:g}".replace("e-0", "e-") +
            (", (pure): δ = 0" if any(r["remark"] == "delta 0" for r in done) else ""),
            "after Balcan et al. 2017, Figure 2", *["a tenth of the rows"] * quick]
    svg.write(path, panels, "Private k-means: cost against k and against ε", "; ".join(told) + ".")


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--out", default="bench-figure2")
    p.add_argument("--third", default="letter")
    p.add_argument("--methods", default="all")
    p.add_argument("--runs", type=int)
    p.add_argument("--delta", type=float, default=1e-6)
    p.add_argument("--limit", type=float, default=300)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--plot-only", action="store_true")
    a = p.parse_args()
    a.runs = a.runs or (2 if a.quick else 5)
    table = pathlib.Path(a.out + ".csv")
    done = list(csv.DictReader(table.open())) if table.exists() else []
    if not a.plot_only:
        with table.open("a", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            if not done:
                writer.writeheader()
            run_all(Tacit(a.tacit, a.limit), a, done, writer, file.flush)
    draw(done, a.out + ".svg", a.delta, a.quick)
    print(f"{a.out}.csv, {a.out}.svg")


main()
