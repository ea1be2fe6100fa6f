# SPDX-License-Identifier: Apache-2.0
"""Tables and picture of the scoreboard, from what was measured. The tables go into the page between
its two marks; the words around them are written by hand."""
import csv
import math
from statistics import fmean, median, stdev

import svg
from scoreboard_audit import PAIRS

BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
NAMES = {"google": "Google LSH", "dpm": "DPM", "fastlloyd": "FastLloyd", "emmc": "EMMC",
         "feddp": "FedDP-KMeans, uniform rows", "feddp-public": "FedDP-KMeans, public rows",
         "diffprivlib": "diffprivlib, its epsilon",
         "diffprivlib-true": "diffprivlib, its noise fitted to ours", "auto": "tacit auto"}
SHORT = {"diffprivlib": "diffprivlib", "diffprivlib-true": "diffprivlib, fitted",
         "feddp": "FedDP-KMeans"}
# Told apart by people who see no red or no green too; the marks say the same.
COLORS = {"auto": "#d1232a", "google": "#5087ee", "dpm": "#03504a", "fastlloyd": "#ce7808",
          "emmc": "#4e0775", "diffprivlib": "#5b4f0c", "diffprivlib-true": "#b08d1e",
          "feddp": "#4f9462", "feddp-public": "#4f9462"}
MARKS = {"auto": "circle", "google": "square", "dpm": "diamond", "fastlloyd": "up",
         "emmc": "down", "diffprivlib": "circle", "diffprivlib-true": "diamond", "feddp": "square",
         "feddp-public": "square"}
PAPER = "#858e9a"  # the methods of papers as we implemented them


def numbers(cell):
    return [v for v in cell if not isinstance(v, str)]


def told(cell, usual, best):
    """1.010 (.002), its number of runs if that is not the usual one, or why there is none."""
    v = numbers(cell)
    if not cell:
        return "-"
    if not v:
        return cell[0] if cell[0] == "no centers" else "refused"
    mean, error = fmean(v), stdev(v) / math.sqrt(len(v)) if len(v) > 1 else None
    digits = 1 if mean >= 10 else 2 if mean >= 2 else 3
    text = f"{mean:.{digits}f}"
    text = f"**{text}**" if best else text
    if error is not None:  # one run has none
        text += (f" ({error:.2g})" if error >= 5e-5 else " (0)").replace("(0.", "(.")
    failed = sum(isinstance(c, str) for c in cell)
    return text + (f", {failed} of {len(cell)} without centers" if failed
                   else f", {len(v)} runs" if len(v) != usual else "")


def name_of(method):
    return NAMES.get(method, f"`{method}`")


def not_ended(board, sets, methods, delta):
    """Fits that were given up, by set, method and epsilon: their processor time over that of auto.
    At other epsilons they were not tried."""
    found = {}
    for s in sets:
        ours = board.cell("speed", s, "auto", 1.0, delta)
        for m in methods:
            for key, cell in list(board.cells.items()):
                if key.startswith(f"cost|{s}|{m}|") and key.endswith(f"|{delta}"):
                    for v in cell:
                        if str(v).startswith("slow") and ours:
                            e = float(key.split("|")[3])
                            found[s, m, e] = float(v.split()[1]) / median([o[0] for o in ours])
    return found


def costs(board, sets, epsilons, methods, delta, runs):
    late = not_ended(board, sets, methods, delta)
    for e in epsilons:
        at = {m: [board.cell("cost", s, m, e, delta) for s in sets] for m in methods}
        least = [min((fmean(numbers(at[m][i])) for m in methods if numbers(at[m][i])),
                     default=None) for i in range(len(sets))]
        yield f"\nEpsilon {e:g}:\n\n| method | {' | '.join(sets)} |\n|{'---|' * (len(sets) + 1)}"
        for m in methods:
            yield f"| {name_of(m)} | " + " | ".join(
                f"not in {late[sets[i], m, e]:.0f} x" if (sets[i], m, e) in late else
                told(c, runs, numbers(c) and fmean(numbers(c)) == least[i])
                for i, c in enumerate(at[m])) + " |"


def lost(board, sets, epsilons, methods, delta):
    """Where another method has the smaller mean, and by how much."""
    mean = lambda s, m, e: fmean(numbers(board.cell("cost", s, m, e, delta)) or [math.inf])
    losses = []
    for s in sets:
        for e in epsilons:
            best = min(methods, key=lambda m: mean(s, m, e))
            if best != "auto":
                losses.append(f"{s} at {e:g} ({name_of(best)}, by "
                              f"{100 * (mean(s, 'auto', e) / mean(s, best, e) - 1):.2g} %)")
    return (f"\n`auto` has the smallest mean in {len(sets) * len(epsilons) - len(losses)} of "
            f"{len(sets) * len(epsilons)} places" +
            (f"; it loses on {', '.join(losses)}." if losses else "."))


def measured(board, method, e, delta):
    """The lower bound and whether it breaks the claim; of ours the larger of two attacks' bounds is
    told."""
    if method in PAIRS:
        found = board.cell("audit", method, e, delta)
    else:
        found = [v for v in board.cell("audit", "ours", e, delta)
                 if v["target"].split()[-1] == method]
        if method == "auto":
            found += [v for p in PAIRS for v in board.cell("audit", f"auto on {p}", e, delta)]
    found = [v for v in found if v.get("measured") is not None]
    if not found:
        return None
    top = max(found, key=lambda v: v["measured"])
    return top["measured"], any(v["violation"] for v in found)


def audit_cell(board, method, e, delta):
    found = measured(board, method, e, delta)
    if found is None:
        return "-"
    return f"**{found[0]:.2f}**" if found[1] else f"{found[0]:.2f}"


def speed(board, sets, method, delta):
    """Processor time and memory over those of auto: the least and the largest of the sets."""
    out = []
    for column in (0, 1):
        ratios = []
        for s in sets:
            theirs, ours = (board.cell("speed", s, m, 1.0, delta) for m in (method, "auto"))
            if theirs and ours:
                ratios.append(median([v[column] for v in theirs]) /
                              median([v[column] for v in ours]))
        figure = lambda v: f"{v:.0f}" if v >= 9.95 else f"{v:.1f}"
        ends = [figure(f(ratios)) for f in (min, max)] if ratios else ["-"] * 2
        out.append(ends[0] if ends[0] == ends[1] else " to ".join(ends))
    return out


def over_sets(board, sets, method, e, delta):
    """Geometric mean over the sets and the band of its standard error; None if a set is missing."""
    logs, errors = [], []
    for s in sets:
        v = numbers(board.cell("cost", s, method, e, delta))
        if not v or len(v) < len(board.cell("cost", s, method, e, delta)):
            return None
        logs.append(math.log(fmean(v)))
        errors.append(stdev(v) / math.sqrt(len(v)) / fmean(v) if len(v) > 1 else 0)
    middle, error = fmean(logs), math.sqrt(sum(x * x for x in errors)) / len(sets)
    return math.exp(middle), math.exp(middle - error), math.exp(middle + error)


def summary(board, sets, epsilons, methods, delta):
    yield (f"\n| method | {' | '.join(f'cost, {e:g}' for e in epsilons)} | "
           f"{' | '.join(f'measured, {e:g}' for e in epsilons)} | time | memory |"
           f"\n|{'---|' * (2 * len(epsilons) + 3)}")
    for m in methods:
        means = [over_sets(board, sets, m, e, delta) for e in epsilons]
        yield (f"| {name_of(m)} | " +
               " | ".join("-" if v is None else f"{v[0]:.2f}" for v in means) + " | " +
               " | ".join(audit_cell(board, m, e, delta) for e in epsilons) + " | " +
               " | ".join(speed(board, sets, m, delta)) + " |")


def line(board, sets, epsilons, method, delta):
    points = [(e, *over_sets(board, sets, method, e, delta)) for e in epsilons
              if over_sets(board, sets, method, e, delta)]
    return {"name": SHORT.get(method, NAMES.get(method, method)),
            "color": COLORS.get(method, PAPER), "mark": MARKS.get(method),
            "width": 3 if method == "auto" else 2 if method in COLORS else 1, "points": points}


def picture(path, board, sets, epsilons, ours, theirs):
    panels = []
    for delta, title in ((1e-6, "Cost, delta 1e-6"), (0.0, "Cost, delta 0 (pure)")):
        lines = [line(board, sets, epsilons, m, delta) for m in ours[delta] + theirs[delta]
                 if m not in ("sample-aggregate", "kvariates")]
        lines = sorted((v for v in lines if v["points"]), key=lambda v: v["width"])
        panels.append(svg.Panel(title, "epsilon (log scale)", "cost over plain k-means (log)",
                                lines, epsilons, "lower is better"))
    points = [p for panel in panels for v in panel.lines for p in v["points"]]
    for panel in panels:  # one axis for both
        panel.span = min(p[2] for p in points) / 1.12, max(p[3] for p in points) * 1.12
    lines = [{"name": "what is claimed", "color": svg.INK, "dash": "5 4", "width": 1.2,
              "points": [[epsilons[0] * (epsilons[-1] / epsilons[0]) ** (i / 40)] * 4
                         for i in range(41)]}]
    for m in ("auto", "diffprivlib", "emmc", "dpm", "google", "fastlloyd", "feddp"):
        delta = 0.0 if m == "diffprivlib" else 1e-6
        points = [(e, *[measured(board, m, e, delta)[0]] * 3) for e in epsilons
                  if measured(board, m, e, delta)]
        lines.append({"name": SHORT.get(m, NAMES.get(m)), "color": COLORS[m], "mark": MARKS[m],
                      "width": 3 if m == "auto" else 2, "points": points})
    panels.append(svg.Panel("Epsilon: claimed and measured", "epsilon claimed (log scale)",
                            "epsilon measured, at least", [v for v in lines if v["points"]],
                            epsilons, "above the dashes: claim false", linear=True))
    svg.write(path, panels, "Private k-means: cost, and whether the promise holds",
              "Cost: geometric mean of six public sets, bands are standard errors; no line where a "
              "set is missing. Gray: methods of papers as tacit has them, the two worst left out.\n"
              "Measured: a lower bound, 99.9 % sure, not the whole leak: so many runs prove 3.3 "
              "at most (EMMC 2.4, DPM 4.4). 0: nothing found, which is no proof. FastLloyd, "
              "FedDP-KMeans: by their messages.",
              columns=3, width=390, height=360)


def write_page(board, a, sets, epsilons, ours, theirs):
    runs = max(len(board.cell("cost", sets[0], "auto", e, 1e-6)) for e in epsilons)
    text = [f"{runs} runs where a cell says nothing else. *Not in N x*: given up after N times the "
            "processor time of `auto`, and not run at other epsilons (-). *Refused*: the method "
            "does not take so many columns "
            "(`grid`) or more clusters than columns (FedDP-KMeans)."]
    for delta, title in ((1e-6, "Delta 1e-6"), (0.0, "Delta 0")):
        methods = [m for m in ["auto"] + theirs[delta] + ours[delta][1:]
                   if any(board.cell("cost", s, m, e, delta) for s in sets for e in epsilons)]
        text += [f"\n### {title}: all at once", *summary(board, sets, epsilons, methods, delta),
                 f"\n### {title}: cost on each set", lost(board, sets, epsilons, methods, delta),
                 *costs(board, sets, epsilons, methods, delta, runs)]
    page = a.page.read_text(encoding="utf-8")
    head, rest = page.split(BEGIN)
    a.page.write_text(head + BEGIN + "\n" + "\n".join(text) + "\n\n" + END + rest.split(END)[1],
                      encoding="utf-8")
    if a.picture:
        picture(a.picture, board, sets, epsilons, ours, theirs)
        with open(a.picture.with_suffix(".csv"), "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["set", "method", "epsilon", "delta", "run", "cost ratio or why not"])
            for key, cell in board.cells.items():
                what, *where = key.split("|")
                if what == "cost" and where[0] in sets:
                    out.writerows([*where, i + 1, v if isinstance(v, str) else f"{v:.5g}"]
                                  for i, v in enumerate(cell))
