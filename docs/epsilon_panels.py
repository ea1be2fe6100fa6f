#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/epsilon-panels.svg: the same generated rows and what leaves a run at five epsilons.

Usage: docs/epsilon_panels.py TACIT [OUT.svg]    TACIT: the command, as build/src/cli/tacit

The rows are synthetic and the noise has a test seed, so that the same version draws the same file.
An ellipse is two standard deviations of the privacy noise, as the release states it.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

BOUNDS = {"age": (0, 100), "visits": (0, 50)}
EPSILONS = ("0.05", "0.1", "0.5", "1", "4")
ROWS, CLUSTERS = 3000, 6
SIDE, GAP, LEFT, TOP, STEP = 300, 24, 58, 96, 336
WIDTH, HEIGHT = LEFT + 3 * SIDE + 2 * GAP + 24, TOP + STEP + SIDE + 62
BLUE, INK, SOFT, FAINT = "#0b57d0", "#1c2430", "#5b6675", "#9aa0a6"


def releases(tacit):
    """The rows of a generated file, and the release of each epsilon."""
    bounds = ",".join(f"{name}={low}:{high}" for name, (low, high) in BOUNDS.items())
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            return subprocess.run([os.path.abspath(tacit), *words], cwd=folder, check=True,
                                  capture_output=True).stdout
        run("generate", "mixture", "--rows", str(ROWS), "--clusters", str(CLUSTERS), "--bounds",
            bounds, "--spread", "0.045", "--seed", "7", "-o", "people.csv")
        with open(os.path.join(folder, "people.csv"), encoding="utf-8") as file:
            rows = [[float(row[name]) for name in BOUNDS] for row in csv.DictReader(file)]
        return rows, [json.loads(run("kmeans", "people.csv", "-k", str(CLUSTERS), "--epsilon",
                                     epsilon, "--delta", "1e-6", "--bounds", bounds,
                                     "--insecure-test-seed", "1", "--json"))
                      for epsilon in EPSILONS]


def place(point):
    """Where a row lies in its panel."""
    (x0, x1), (y0, y1) = BOUNDS.values()
    return (point[0] - x0) / (x1 - x0) * SIDE, SIDE - (point[1] - y0) / (y1 - y0) * SIDE


def text(x, y, words, more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{words}</text>'


def axes(names_x, names_y):
    """The frame of a panel; numbers where the panel is at an edge of the picture."""
    (x_name, (x0, x1)), (y_name, (y0, y1)) = BOUNDS.items()
    out = [f'<rect width="{SIDE}" height="{SIDE}" fill="none" stroke="#c4cad2"/>']
    for i in range(6):
        at = SIDE * i / 5
        if names_x:
            out.append(text(at, SIDE + 17, f"{x0 + i / 5 * (x1 - x0):g}",
                            f'text-anchor="middle" fill="{SOFT}"'))
        if names_y:
            out.append(text(-7, SIDE - at + 4, f"{y0 + i / 5 * (y1 - y0):g}",
                            f'text-anchor="end" fill="{SOFT}"'))
    if names_x:
        out.append(text(SIDE / 2, SIDE + 36, x_name, 'text-anchor="middle"'))
    if names_y:
        out.append(text(-36, SIDE / 2, y_name,
                        f'text-anchor="middle" transform="rotate(-90 -36 {SIDE / 2:.0f})"'))
    return out


def centers(model):
    """Every center with its ellipse and, where rows went to it, its size."""
    out, names = [], []
    (x0, x1), (y0, y1) = BOUNDS.values()
    for center, sd, size in zip(model["centers"], model["centers_noise_sd"], model["sizes"]):
        if size == 0:  # repeats another
            continue
        x, y = place(center)
        rx, ry = 2 * sd[0] / (x1 - x0) * SIDE, 2 * sd[1] / (y1 - y0) * SIDE
        out.append(f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{rx:.1f}" ry="{ry:.1f}" '
                   f'fill="{BLUE}" fill-opacity=".07" stroke="{BLUE}" stroke-width="1.5"/>'
                   f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{BLUE}"/>')
        names.append(text(min(max(x, 44), SIDE - 44), y - min(ry, 30) - 6 if y > 50
                          else y + min(ry, 30) + 16,
                          f"{size:.0f} ± {model['sizes_noise_sd']:.0f}",
                          f'text-anchor="middle" font-weight="bold" fill="{BLUE}" '
                          'stroke="white" stroke-width="3.5" paint-order="stroke"'))
    return out + names


def panel(i, title, dots, inside):
    left, top = LEFT + i % 3 * (SIDE + GAP), TOP + i // 3 * STEP
    return [f'<g transform="translate({left} {top})">',
            text(0, -10, title, 'font-size="15" font-weight="bold"'),
            f'<svg width="{SIDE}" height="{SIDE}">', dots, *inside, "</svg>",
            *axes(i >= 3, i % 3 == 0), "</g>"]


def draw(rows, models):
    path = "".join("M{:.0f} {:.0f}h0".format(*place(row)) for row in rows)
    rows_once = (f'<path id="rows" d="{path}" stroke="{FAINT}" stroke-opacity=".55" '
                 'stroke-width="2" stroke-linecap="round" fill="none"/>')
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'width="{WIDTH}" height="{HEIGHT}" font-family="Helvetica,Arial,sans-serif" '
           f'font-size="12" fill="{INK}">',
           f"<title>{ROWS} synthetic rows and private releases of their centers at five "
           "epsilons</title>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           text(18, 31, f"The same {ROWS:,} rows, released at five epsilons",
                'font-size="19" font-weight="bold"'),
           text(18, 53, "Blue: what leaves a run with delta 1e-6. A center, two standard "
                "deviations of its privacy noise, and a noisy size ± one standard deviation.",
                f'font-size="13" fill="{SOFT}"')]
    out += panel(0, "the rows: nobody else sees them", rows_once, [])
    for i, (epsilon, model) in enumerate(zip(EPSILONS, models)):
        out += panel(i + 1, f"epsilon {epsilon}", '<use href="#rows"/>', centers(model))
    return "\n".join([*out, "</svg>", ""])


def main(tacit, out=os.path.join(os.path.dirname(os.path.abspath(__file__)), "epsilon-panels.svg")):
    with open(out, "w", encoding="utf-8") as file:
        file.write(draw(*releases(tacit)))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
