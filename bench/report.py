#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a category costs a page: processor time of `tacit report` on a release of 100 centers in
1400 columns, of which one is a category, over that of a release without one, in one run. Best of
RUNS each. With --old, over the same page by an older build too; the bytes must be the same.

Usage: bench/report.py TACIT [--old TACIT]"""
import argparse
import pathlib
import resource
import subprocess
import tempfile

RUNS, LIMIT = 3, 2.0


def seconds(command, release, page):
    """Of the processor, the best of RUNS; and the page."""
    best = float("inf")
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([command, "report", release, "-o", page, "--quiet"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best, page.read_bytes()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tacit")
    parser.add_argument("--old")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows, page, made = folder / "rows.csv", folder / "page.html", {}
        subprocess.run([a.tacit, "generate", "mixture", "-k", "2", "--rows", "4000", "--columns",
                        "1399", "--label-column", "class", "-o", rows, "--quiet"], check=True)
        for kind, said in (("none", ["--label-column", "class"]), ("one", ["--categories",
                                                                           "class=0|1"])):
            made[kind] = folder / f"{kind}.json"
            subprocess.run([a.tacit, "kmeans", rows, "-k", "100", "--epsilon", "8", "--delta",
                            "1e-6", "--bounds", "0:1", *said, "-o", made[kind], "--quiet"],
                           check=True, stdout=subprocess.DEVNULL)
        plain, _ = seconds(a.tacit, made["none"], page)
        category, ours = seconds(a.tacit, made["one"], page)
        print(f"a page with a category / one without: {category / plain:.2f} (at most {LIMIT})"
              f"{'' if category / plain <= LIMIT else '  MISSED'}")
        if a.old:
            older, theirs = seconds(a.old, made["one"], page)
            print(f"the same page, old build / this one: {older / category:.1f}, "
                  f"{'the same bytes' if ours == theirs else 'OTHER BYTES'}")


if __name__ == "__main__":
    main()
