#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Do Gibbs chains mix? Figure 3 of Wang, Wang & Singh (2015) with a statistic that can tell: 8 chains from random starts on their second
synthetic set (n = 1000, d = 10, noise 0.1), the distance between the chains' mean projectors against the number of iterations,
beside the distance between two stretches of one chain. Chains that have mixed differ as much from each other as from
themselves; the paper's statistic, the norm of mean bases, tends to 0 by random signs alone, even if nothing moves. Also d_W of the
last state to the truth, which a plain start hides. Writes OUT.csv and OUT.svg.

Usage: bench/subspace_figure3.py TACIT [--out bench-subspace3] [--quick] [--runs 3] [--chains 8] [--epsilons 1,10,100] [--plot-only]
Compares exact states, which nothing was paid for: so with the insecure test seed, on synthetic rows. --quick: 1 run, up to 1000
iterations."""
import argparse
import csv
import pathlib
import re
import tempfile

import numpy as np

import svg
from subspace_sets import Flats, draw, gap

FIELDS = "epsilon iterations run between within distance".split()
COLORS = ["#2a9d8f", "#1f6fb4", "#d1232a", "#b8860b", "#7b5ea7"]


def run_all(flats, a, done, write):
    steps = [30, 100, 300, 1000] if a.quick else [30, 100, 300, 1000, 3000, 10000]
    known = {(r["epsilon"], r["iterations"], r["run"]) for r in done}
    for run in range(a.runs):
        with tempfile.TemporaryDirectory() as folder:
            s = draw(a.tacit, "2", 100 + run, folder)
            path = pathlib.Path(folder) / "rows.npy"
            np.save(path, s.x)
            for epsilon in a.epsilons.split(","):
                for iterations in steps:
                    if (epsilon, str(iterations), str(run)) in known:
                        continue
                    model = flats.run(s, path, ["--method", "gibbs", "--epsilon", epsilon, "--neighbors", "replace", "--rounds",
                                                str(iterations), "--chains", str(a.chains), "--insecure-test-seed", str(run)])
                    told = [m for note in model["notes"] for m in re.findall(r"are ([\d.e+-]+) apart, .* one chain ([\d.e+-]+);", note)]
                    row = dict(zip(FIELDS, [epsilon, iterations, run, *told[0], f"{gap(np.array(model['subspaces']), s.truth):.6g}"]))
                    write(row)
                    print(f"run {run} epsilon {epsilon:>5} iterations {iterations:>6} between {row['between']:>8} within {row['within']:>8} "
                          f"ratio {float(row['between']) / float(row['within']):6.2f} distance {row['distance']}", flush=True)


def panel(title, y_name, rows, measures):
    lines = []
    for color, epsilon in zip(COLORS, sorted({r["epsilon"] for r in rows}, key=float)):
        for measure, dash in measures:
            points = []
            for x in sorted({int(r["iterations"]) for r in rows}):
                v = np.array([max(float(r[measure]), 1e-9) for r in rows if r["epsilon"] == epsilon and int(r["iterations"]) == x])
                if len(v):
                    points.append((x, float(v.mean()), float(v.min()), float(v.max())))
            name = f"ε = {epsilon}" + {"between": ", between", "within": ", within"}.get(measure, "")
            lines.append({"name": name, "color": color, "points": points, "width": 1.2 if dash else 1.8, "dash": dash})
    return svg.Panel(title, "iterations", y_name, lines, sorted({int(r["iterations"]) for r in rows}))


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--out", default="bench-subspace3")
    p.add_argument("--runs", type=int)
    p.add_argument("--chains", type=int, default=8)
    p.add_argument("--epsilons", default="1,10,100")
    p.add_argument("--quick", action="store_true")
    p.add_argument("--plot-only", action="store_true")
    a = p.parse_args()
    a.runs = a.runs or (1 if a.quick else 3)
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
            run_all(Flats(a.tacit, 600), a, done, write)
    svg.write(a.out + ".svg", [panel("between and within chains", "distance of mean projectors", done, [("between", ""), ("within", "4 3")]),
                               panel("last state to the truth", "d_W in |UU' - VV'|", done, [("distance", "")])],
              "Do the Gibbs chains mix?", f"{a.chains} chains from random starts, n = 1000, d = 10, k = 3, q = 3, noise 0.1; band: smallest and largest of "
              f"{1 + max(int(r['run']) for r in done)} sets of rows. Mixed: the solid line meets the dashed one.")
    print(f"{a.out}.csv, {a.out}.svg")


main()
