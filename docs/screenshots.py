#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of two reports, made from generated rows with Chromium: docs/screenshots.py TACIT writes
docs/report-kmeans.png and docs/report-blocks.png."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python" / "tests"))
import browser  # noqa: E402

WIDTH = 1000
BUDGET = ["--epsilon", "1", "--delta", "1e-6", "-q"]


def make_people(run, folder):
    """Generated groups in the units of three columns."""
    run("generate", "mixture", "--columns", "3", "--clusters", "5", "--seed", "4", "-o", "box.csv")
    rows = list(csv.reader(open(folder / "box.csv", encoding="ascii")))[1:]
    with open(folder / "people.csv", "w", newline="", encoding="ascii") as out:
        writer = csv.writer(out)
        writer.writerow(["age", "visits", "spend"])
        writer.writerows([18 + 72 * float(a), 30 * float(b), 900 * float(c)] for a, b, c in rows)


def main(tacit):
    tacit = os.path.abspath(tacit)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)

        def run(*words):
            subprocess.run([tacit, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)

        make_people(run, folder)
        run("kmeans", "people.csv", "-k", "auto", *BUDGET, "--bounds",
            "age=18:90,visits=0:30,spend=0:900", "-o", "kmeans.json")
        run("generate", "counts", "-o", "baskets.csv")
        run("cocluster", "baskets.csv", "--rows", "4", "--cols", "4", *BUDGET, "--shape", "x200",
            "-o", "blocks.json")
        tab = browser.Browser(folder / "profile")
        for name, height in (("kmeans", 1240), ("blocks", 860)):
            run("report", f"{name}.json", "-q", "-o", f"{name}.html")
            tab.open(folder / f"{name}.html", WIDTH, height)
            (HERE / f"report-{name}.png").write_bytes(tab.picture(height))
        tab.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
