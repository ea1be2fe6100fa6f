# SPDX-License-Identifier: Apache-2.0
"""Co-clusterings of tables with known classes: calls bench/cocluster_utility, keeps every run in a
CSV, and repeats none."""
import csv
import pathlib
import subprocess

RATINGS = {"ml100k": 6, "ml100kx6000": 6}  # tables without classes: clusters asked for
NAMES = ["classic3", "cstr", "tr11", "tr41", "hitech"]
KEY = "set method unit epsilon delta share rounds".split()
FIELDS = (KEY + "run nmi ari labels_nmi tau_rows tau_columns clusters seconds "
          "columns_ari placed remark".split())


class Runs:
    def __init__(self, driver, folder, path, limit=600):
        self.driver, self.folder, self.path, self.limit = driver, pathlib.Path(
            folder), pathlib.Path(path), limit
        self.rows = list(csv.DictReader(self.path.open())) if self.path.exists() else []

    def sets(self, wanted):
        found = [n for n in wanted if (self.folder / f"{n}.csv").exists()
                 and (self.folder / f"{n}_labels.csv").exists()]
        for name in sorted(set(wanted) - set(found)):
            print(f"{name}: left out, no {name}.csv and {name}_labels.csv in {self.folder}")
        return found

    def cell(self, name, method, unit, epsilon, delta, runs, share=0.0, rounds=0):
        """So many runs, as dicts of text; fewer, with a remark, where the method refuses or is too
        slow."""
        key = dict(zip(KEY, [name, method, unit, f"{epsilon:g}", f"{delta:g}", f"{share:g}",
                             str(rounds)]))
        have = [r for r in self.rows if all(r[k] == v for k, v in key.items())]
        if len(have) >= runs or (have and have[0]["remark"]):
            return [r for r in have[:runs] if not r["remark"]]
        remark, out = "", ""
        try:
            done = subprocess.run([self.driver, str(self.folder / name), method, unit,
                                   f"{epsilon:.17g}", f"{delta:.17g}", str(runs), str(share),
                                   str(rounds)] + [str(k) for k in (RATINGS.get(name),) if k],
                                  capture_output=True, text=True, timeout=self.limit)
            remark = (done.stderr.strip().splitlines()[-1] if done.returncode and done.stderr
                      else f"exit {done.returncode}" if done.returncode else "")
            out = done.stdout
        except subprocess.TimeoutExpired as late:
            remark, out = f"over {self.limit:g} s", (late.stdout or b"").decode()
        rows = [dict(key, remark="", **r) for r in csv.DictReader(out.splitlines())
                if r.get("columns_ari")]
        rows = [r for r in rows if r["run"] not in {h["run"] for h in have}]
        if not rows and not have:
            rows = [dict(dict.fromkeys(FIELDS, ""), remark=remark, **key)]
            print(f"{name} {method} unit {unit} epsilon {epsilon:g}: {remark}", flush=True)
        new = not self.path.exists()
        with self.path.open("a", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            if new:
                writer.writeheader()
            writer.writerows(rows)
        self.rows += rows
        return [r for r in have + rows if not r["remark"]]


def mean_of(rows, field="nmi"):
    """Mean and standard error; nothing if there is nothing."""
    v = [float(r[field]) for r in rows if r[field] not in ("", "nan", "-nan")]
    if not v:
        return None
    m = sum(v) / len(v)
    return m, (sum((x - m) ** 2 for x in v) / max(1, len(v) - 1) / len(v)) ** 0.5
