#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figure 2 of Wang, Wang & Singh (2015) for every method: k-means cost (above) and d_W in |UU' -
VV'|_F (below) against epsilon = 0.1 .. 1000, on its two synthetic sets and on five people of
Extended Yale B; replacement of one row, delta = 1 / (n ln n). Beside them, dashed and not private:
plain k-plane, one subspace of the pooled principal components for all rows, and chance. Writes
OUT.csv (every run) and OUT.svg.

Usage: bench/subspace_figure2.py TACIT [--data FOLDER] [--out bench-subspace2] [--quick]
       [--runs 5] [--methods all] [--limit SECONDS] [--iterations 10000] [--plot-only]
Every run has rows of its own. Runs found in OUT.csv are not repeated. FOLDER holds yaleb32_x.npy
and yaleb32_y.npy (2414 x 1024); without it the faces are left out. --quick: 2 runs, every other
epsilon, 1000 Gibbs iterations. A run over the limit, or one that the method refuses, leaves a gap.
Gibbs is drawn dotted: its guarantee is asymptotic, and from a plain start it has none."""
import argparse
import csv
import pathlib
import tempfile

import numpy as np

import svg
from running import Failed
from subspace_sets import Flats, chance, cost, draw, faces, gap, pooled

PLAIN, POOLED, CHANCE = "k-plane (not private)", "pooled PCA (not private)", "chance"
# What is drawn: a name, the method it needs, its options.
LINES = [("auto", "auto", []), ("sulq+", "sulq+", []),
         ("sulq, 10 rounds", "sulq", ["--rounds", "10"]),
         ("sulq, 50 rounds", "sulq", ["--rounds", "50"]), ("bingham", "bingham", []),
         ("gibbs", "gibbs", []), ("gibbs, plain start", "gibbs", ["--start", "solver"]),
         ("sample-aggregate", "sample-aggregate", [])]
COLORS = {"auto": "#d1232a", "sulq+": "#1f6fb4", "sulq, 10 rounds": "#7b5ea7",
          "sulq, 50 rounds": "#b79fd6", "bingham": "#2a9d8f", "gibbs": "#e07b39",
          "gibbs, plain start": "#5f4116", "sample-aggregate": "#9aa3ad", PLAIN: "#1c2430",
          POOLED: "#5b6675", CHANCE: "#b0b7c0"}
FIELDS = "set n d k q epsilon delta line run cost distance remark".split()
TITLES = {"1": "n = 5000, d = 5, noise 0.01", "2": "n = 1000, d = 10, noise 0.1",
          "faces": "faces, d = 50"}


def answer(flats, s, path, line, epsilon, run, iterations):
    """Bases and the delta that was paid for them; None: nothing was."""
    name, method, words = line
    if name == PLAIN:
        return (np.array(flats.run(s, path, ["--not-private", "--restarts", "20"])["subspaces"]),
                None)
    if name == POOLED:
        return pooled(s), None
    if name == CHANCE:
        return chance(s, run), None
    return flats.private(s, path, epsilon,
                         [*words, "--method", method,
                          *(["--rounds", str(iterations)] if method == "gibbs" else [])])


def run_all(flats, a, done, write):
    offered = flats.methods()
    wanted = [line for line in LINES if line[1] in offered
              and (a.methods == "all" or line[1] in a.methods.split(","))]
    fixed = [(name, None, []) for name in (PLAIN, POOLED, CHANCE)]
    epsilons = [10 ** (e / 2) for e in range(-2, 7, 2 if a.quick else 1)]
    known = {(r["set"], r["epsilon"], r["line"], r["run"]) for r in done}
    dropped = {(r["set"], r["line"]) for r in done if r["cost"] == ""
               and r["remark"].startswith("over")}
    for which in ["1", "2"] + (["faces"] if a.data else []):
        for run in range(a.runs):
            with tempfile.TemporaryDirectory() as folder:
                s = (faces(a.data, 100 + run) if which == "faces"
                     else draw(a.tacit, which, 100 + run, folder))
                path = pathlib.Path(folder) / "rows.npy"
                np.save(path, s.x)
                for line in [*fixed, *wanted]:
                    for epsilon in epsilons if line[1] else [0.0]:
                        if (which, f"{epsilon:.6g}", line[0],
                            str(run)) in known or (which, line[0]) in dropped:
                            continue
                        row = dict.fromkeys(FIELDS, "")
                        row.update(set=which, n=len(s.x), d=s.d, k=s.k, q=s.q,
                                   epsilon=f"{epsilon:.6g}", line=line[0], run=run)
                        try:
                            bases, delta = answer(flats, s, path, line, epsilon, run, a.iterations)
                            row.update(cost=f"{cost(s.x, bases):.6g}",
                                       distance=f"{gap(bases, s.truth):.6g}", delta=""
                                       if delta is None else f"{delta:.4g}")
                        except Failed as why:
                            row.update(remark=str(why))
                            if str(why).startswith("over"):
                                dropped.add((which, line[0]))
                        write(row)
                        print(f"set {which:5} run {run} epsilon {row['epsilon']:>8} {line[0]:24} "
                              f"cost {row['cost']:>11} distance "
                              f"{row['distance']:>9} {row['remark'][:60]}", flush=True)


def panel(rows, which, measure, y_name):
    mine = [r for r in rows if r["set"] == which and r[measure]]
    xs = sorted({float(r["epsilon"]) for r in mine} - {0.0})
    lines, unable = [], []
    for name in COLORS:
        own = [r for r in mine if r["line"] == name]
        if not own:
            if any(r["set"] == which and r["line"] == name for r in rows):
                unable.append(name)
            continue
        fixed, points = name in (PLAIN, POOLED, CHANCE), []
        for x in xs if fixed else sorted({float(r["epsilon"]) for r in own}):
            v = np.array([float(r[measure]) for r in own if fixed or float(r["epsilon"]) == x])
            v = np.maximum(v, 1e-6)
            points.append((x, float(v.mean()), max(float(v.mean() - v.std()), float(v.min())),
                           float(v.mean() + v.std())))
        if fixed:
            points = [(x, m, m, m) for x, m, _, _ in points]
        pure = ("" if fixed or name.endswith("start")
                or any(float(r["delta"] or 0) > 0 for r in own) else " (pure)")
        lines.append({"name": name.replace(" (not private)", "") + pure, "color": COLORS[name],
                      "points": points, "width": 2.6 if name == "auto" else 1.6, "dash": "5 3"
                      if fixed else "1 3" if name.startswith("gibbs") else ""})
    lines.sort(key=lambda each: each["width"])
    return svg.Panel(TITLES[which], "ε", y_name, lines,
                     [x for x in xs if abs(np.log10(x) % 1) < 1e-3 or len(xs) < 4],
                     "not able to run: " + ", ".join(unable) if unable else "")


def plot(rows, path, quick):
    sets = [which for which in TITLES if any(r["set"] == which for r in rows)]
    panels = [panel(rows, which, "cost", "mean squared distance") for which in sets]
    panels += [panel(rows, which, "distance", "d_W in |UU' - VV'|") for which in sets]
    runs = [len({r["run"] for r in rows if r["set"] == which}) for which in sets]
    runs = " / ".join(map(str, runs if len(set(runs)) > 1 else runs[:1]))
    svg.write(path, panels,
              "Private subspace clustering: cost and distance from the truth against ε",
              f"Mean of {runs} runs on fresh rows, band of one deviation; replacement, "
              "δ = 1/(n ln n), (pure): δ = 0; dashed: not private; dotted: asymptotic only, from a "
              "plain start not even that. After Wang, Wang & Singh 2015" +
              (" (quick)." if quick else "."),
              columns=len(sets))


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--out", default="bench-subspace2")
    p.add_argument("--methods", default="all")
    p.add_argument("--runs", type=int)
    p.add_argument("--limit", type=float, default=300)
    p.add_argument("--iterations", type=int)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--plot-only", action="store_true")
    a = p.parse_args()
    a.runs = a.runs or (2 if a.quick else 5)
    a.iterations = a.iterations or (1000 if a.quick else 10000)
    if a.data and not (a.data / "yaleb32_x.npy").exists():
        print(f"no yaleb32_x.npy in {a.data}: without faces")
        a.data = None
    table = pathlib.Path(a.out + ".csv")
    done = list(csv.DictReader(table.open())) if table.exists() else []
    if not a.plot_only:
        with table.open("a", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            if not done:
                writer.writeheader()

            def write(row):
                writer.writerow(row)
                file.flush()
                done.append({f: str(v) for f, v in row.items()})
            run_all(Flats(a.tacit, a.limit), a, done, write)
    plot(done, a.out + ".svg", a.quick)
    print(f"{a.out}.csv, {a.out}.svg")


main()
