#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figure 2 of Battaglia & Pensa (2025) for every method: NMI of the rows' clusters with the known classes against epsilon. Solid lines: the
paper's evaluation, every row's best cluster by the released rule on its exact counts, which stays with the owner of the rows. Dotted: labels
that are private themselves and cost half of the budget; the paper never shows those. Dashed: Fast-tauCC, not private.
Lines say what they protect: one count (entry) or a whole row, and with which delta. Writes OUT.csv (every run) and OUT.svg.

Usage: bench/cocluster_figure2.py build/bench/cocluster_utility FOLDER [--out cocluster2] [--runs 20] [--sets classic3,...]
                                  [--epsilons 0.1,...] [--limit SECONDS] [--quick] [--plot-only]
FOLDER holds NAME.csv (row,col,count) and NAME_labels.csv. Runs found in OUT.csv are not repeated. --quick: 5 runs, fewer epsilons."""
import argparse

import svg
from cocluster_sets import NAMES, Runs, mean_of

PLAIN = "Fast-tauCC"
# name, method, unit, delta, share of the labels, color
LINES = [("auto, entry", "auto", "entry", 0, 0, "#d1232a"), ("auto, entry, δ", "auto", "entry", 1e-6, 0, "#e8888c"),
         ("auto, row, δ", "auto", "row", 1e-6, 0, "#b8860b"), ("dp-taucc, entry", "dp-taucc", "entry", 0, 0, "#1f6fb4"),
         ("nmf, entry, δ", "nmf", "entry", 1e-6, 0, "#7b5ea7"), ("k-means, entry, δ", "kmeans", "entry", 1e-6, 0, "#2a9d8f"),
         ("balcan, entry, δ", "balcan", "entry", 1e-6, 0, "#9aa3ad"), ("auto, labels", "auto", "entry", 0, 0.5, "#d1232a"),
         ("dp-taucc, labels", "dp-taucc", "entry", 0, 0.5, "#1f6fb4")]


def panel(runs, name, epsilons, a):
    lines, unable = [], []
    plain = mean_of(runs.cell(name, "fast-taucc", "entry", 1, 0, min(10, a.runs)))
    if plain:
        lines.append({"name": PLAIN, "color": "#1c2430", "dash": "5 3", "width": 1.4, "points": [(e, plain[0], plain[0], plain[0]) for e in epsilons]})
    for label, method, unit, delta, share, color in LINES:
        points = []
        for e in epsilons:
            if f"{method} {unit}" in unable:
                continue
            cell = runs.cell(name, method, unit, e, delta, a.runs, share)
            found = mean_of(cell, "labels_nmi" if share else "nmi")
            if found is None:
                if not points and e == epsilons[0] and "no method" in "".join(r["remark"] for r in runs.rows if r["method"] == method):
                    unable.append(f"{method} {unit}")
                continue
            points.append((e, found[0], max(0, found[0] - found[1]), found[0] + found[1]))
            print(f"{name:9} {label:18} epsilon {e:<5g} {found[0]:.3f} +- {found[1]:.3f} ({len(cell)} runs)", flush=True)
        if points:
            lines.append({"name": label, "color": color, "points": points, "dash": "1 3" if share else "",
                          "width": 2.6 if label == "auto, entry" else 1.6})
    lines.sort(key=lambda each: each["width"])
    return svg.Panel(name, "ε", "NMI with the classes", lines, epsilons, linear=True)


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__)
    p.add_argument("driver")
    p.add_argument("folder")
    p.add_argument("--out", default="cocluster2")
    p.add_argument("--runs", type=int)
    p.add_argument("--sets", default=",".join(NAMES))
    p.add_argument("--epsilons")
    p.add_argument("--limit", type=float, default=600)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--plot-only", action="store_true")
    a = p.parse_args()
    a.runs = a.runs or (5 if a.quick else 20)
    epsilons = [float(e) for e in (a.epsilons or ("0.1,0.5,1,3" if a.quick else "0.1,0.2,0.3,0.5,0.8,1,2,3")).split(",")]
    runs = Runs("/bin/false" if a.plot_only else a.driver, a.folder, a.out + ".csv", a.limit)
    panels = [panel(runs, name, epsilons, a) for name in runs.sets(a.sets.split(","))]
    svg.write(a.out + ".svg", panels, "Private co-clustering: classes found against ε",
              f"Mean of {a.runs} runs, band of one standard error; K = L = classes; hidden: one count (entry) or a row; δ: 10⁻⁶, else pure; dotted: "
              "private labels. After Battaglia & Pensa 2025.")
    print(f"{a.out}.csv, {a.out}.svg")


main()
