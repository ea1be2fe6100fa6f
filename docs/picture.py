#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/kmeans.svg: generated rows, and the private release of their centers on top.

Usage: docs/picture.py TACIT [OUT.svg]    TACIT: the command, for example build/src/cli/tacit

The rows are synthetic and the noise has a test seed, so that the same version draws the same file.
An ellipse is two standard deviations of the privacy noise in each column, as the release states it.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

BOUNDS = {"age": (0, 100), "visits": (0, 50)}
EPSILON, ROWS, CLUSTERS = 0.5, 3000, 6
WIDTH, HEIGHT = 720, 430
LEFT, TOP, RIGHT, BOTTOM = 52, 52, 700, 384
BLUE, INK, FAINT = "#0b57d0", "#222", "#9aa0a6"


def release(tacit):
    """The rows of a generated file, and the private k-means release of it."""
    bounds = ",".join(f"{name}={low}:{high}" for name, (low, high) in BOUNDS.items())
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            subprocess.run([os.path.abspath(tacit), *words], cwd=folder, check=True,
                           capture_output=True)
        run("generate", "mixture", "--rows", str(ROWS), "--clusters", str(CLUSTERS), "--bounds",
            bounds, "--spread", "0.045", "--seed", "7", "-o", "people.csv")
        run("kmeans", "people.csv", "-k", str(CLUSTERS), "--epsilon", str(EPSILON), "--delta",
            "1e-6", "--bounds", bounds, "--insecure-test-seed", "1", "-o", "model.json")
        with open(os.path.join(folder, "people.csv"), encoding="utf-8") as file:
            rows = [[float(row[name]) for name in BOUNDS] for row in csv.DictReader(file)]
        with open(os.path.join(folder, "model.json"), encoding="utf-8") as file:
            return rows, json.load(file)


def place(point):
    """Where a row lies in the picture."""
    (x0, x1), (y0, y1) = BOUNDS.values()
    return (LEFT + (point[0] - x0) / (x1 - x0) * (RIGHT - LEFT),
            BOTTOM - (point[1] - y0) / (y1 - y0) * (BOTTOM - TOP))


def text(x, y, words, more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{words}</text>'


def axes():
    names = list(BOUNDS)
    out = [f'<rect x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{BOTTOM - TOP}" fill="none" '
           f'stroke="#ccc"/>']
    for i in range(6):
        x, y = (low + i / 5 * (high - low) for low, high in BOUNDS.values())
        out.append(text(place((x, 0))[0], BOTTOM + 16, f"{x:g}", 'text-anchor="middle"'))
        out.append(text(LEFT - 6, place((0, y))[1] + 4, f"{y:g}", 'text-anchor="end"'))
    out.append(text((LEFT + RIGHT) / 2, BOTTOM + 34, names[0], 'text-anchor="middle"'))
    middle = (TOP + BOTTOM) / 2
    out.append(text(16, middle, names[1],
                    f'text-anchor="middle" transform="rotate(-90 16 {middle:.0f})"'))
    return out


def centers(model):
    """Every center with its ellipse and its size."""
    out = []
    (x0, x1), (y0, y1) = BOUNDS.values()
    for center, sd, size in zip(model["centers"], model["centers_noise_sd"], model["sizes"]):
        x, y = place(center)
        rx, ry = 2 * sd[0] / (x1 - x0) * (RIGHT - LEFT), 2 * sd[1] / (y1 - y0) * (BOTTOM - TOP)
        out.append(f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{rx:.1f}" ry="{ry:.1f}" '
                   f'fill="{BLUE}" fill-opacity=".25" stroke="{BLUE}" stroke-width="1.5"/>')
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="{BLUE}"/>')
        near_edge = x > RIGHT - 100
        out.append(text(x + (-rx - 5 if near_edge else rx + 5), y + 4,
                        f"{size:.0f} ± {model['sizes_noise_sd']:.0f}",
                        f'text-anchor="{"end" if near_edge else "start"}" font-weight="bold" '
                        f'fill="{BLUE}" '
                        'stroke="white" stroke-width="3" paint-order="stroke"'))
    return out


def draw(rows, model):
    dots = "".join("M{:.0f} {:.0f}h0".format(*place(row)) for row in rows)
    privacy = model["privacy"]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                      f'width="{WIDTH}" height="{HEIGHT}" '
                      f'font-family="sans-serif" font-size="12" fill="{INK}">',
                      f'<title>{ROWS} synthetic rows and the private release of their {model["k"]} '
                      f'centers</title>', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
                      text(LEFT, 20,
                           f'{ROWS:,} synthetic rows (gray) and what leaves a run with epsilon '
                           f'{privacy["epsilon"]:g}, '
                           f'delta {privacy["delta"]:g} (blue)',
                           'font-size="13" font-weight="bold"'),
                      text(LEFT, 39,
                           "center; ellipse: two standard deviations of the privacy noise; number: "
                           "noisy size "
                           "± one standard deviation"),
                      f'<path d="{dots}" stroke="{FAINT}" stroke-opacity=".55" stroke-width="2.4" '
                      f'stroke-linecap="round" fill="none"/>', *axes(), *centers(model), "</svg>",
                      ""])


def main(tacit, out=os.path.join(os.path.dirname(os.path.abspath(__file__)), "kmeans.svg")):
    rows, model = release(tacit)
    with open(out, "w", encoding="utf-8") as file:
        file.write(draw(rows, model))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
