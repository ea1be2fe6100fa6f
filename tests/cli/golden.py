# SPDX-License-Identifier: Apache-2.0
"""What the command prints, word for word: help, tables and summaries of runs with a test seed."""
import json
import os
import re
import shlex

import harness

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
COMMANDS = ["kmeans", "kmedian", "subspace", "cocluster", "predict", "evaluate", "compare", "recut",
            "synthesize", "report", "plan",
            "plan subspace", "plan cocluster", "declare", "ledger", "audit", "generate",
            "generate subspaces", "generate counts"]

MAKE = ["generate", "mixture", "--rows", "5000", "--columns", "3", "--clusters", "4", "--seed", "7",
        "--label-column", "class", "-o", "people.csv"]
SEEDED = ["kmeans", "people.csv", "--label-column", "class", "-k", "4", "--epsilon", "1",
          "--bounds", "0:1", "--insecure-test-seed", "42", "--method", "lloyd"]
CUT = [*SEEDED[:-2], "--delta", "1e-6"]
PLAN = ["plan", "kmeans", "-k", "4", "--epsilon", "1", "--delta", "1e-6", "--bounds", "0:1",
        "--rows-about", "5000", "--dimensions", "3", "--method", "lloyd"]
UNION = ["generate", "subspaces", "--rows", "3000", "--columns", "5", "--subspaces", "2",
         "--dimension", "2", "--seed", "7", "--label-column", "class", "-o", "union.csv",
         "--truth-out", "truth.json"]
FLAT = ["subspace", "union.csv", "--label-column", "class", "-k", "2", "-q", "2", "--radius", "1",
        "--not-private"]
SEEDED_FLAT = [*FLAT[:-1], "--epsilon", "20", "--delta", "1e-6", "--insecure-test-seed", "42"]
BASKETS = ["generate", "counts", "--rows", "1200", "--columns", "60", "--row-clusters", "3",
           "--col-clusters", "3", "--seed", "7", "--labels-out", "classes.csv", "-o", "baskets.csv"]
BLOCKS = ["cocluster", "baskets.csv", "--rows", "3", "--cols", "3", "--insecure-test-seed", "42"]
BY_ROW = [*BLOCKS, "--epsilon", "4", "--delta", "1e-6", "--shape", "x60"]
BY_ENTRY = [*BLOCKS, "--epsilon", "2", "--unit", "entry", "--method", "dp-taucc", "--row-labels",
            "0.2"]
EDIT = "a k-median release of the same centers"

# name -> command lines; standard output and standard error of the last one are compared.
GOLDEN = {
    "version": [["--version"]],
    "help": [["--help"]],
    "generate": [["generate", "mixture", "--rows", "5", "--clusters", "2", "--label-column",
                  "class"]],
    "kmeans-pure": [MAKE, SEEDED],
    "kmeans-gauss": [MAKE, [*SEEDED, "--delta", "1e-6"]],
    "kmeans-ball": [MAKE, [*SEEDED[:8], *SEEDED[10:], "--radius", "2"]],
    "kmeans-wide": [["generate", "mixture", "--rows", "5000", "--columns", "80", "--clusters", "2",
                     "-o", "wide.csv"],
                    ["kmeans", "wide.csv", "-k", "6", "--epsilon", "1", "--bounds", "0:1",
                     "--insecure-test-seed", "42", "--method", "lloyd", "--delta", "1e-6"]],
    "predict": [MAKE, [*SEEDED, "-q", "-o", "model.json"],
                ["generate", "mixture", "--rows", "8", "--columns", "3", "--clusters", "4",
                 "--seed", "7", "-o", "few.csv"], ["predict", "model.json", "few.csv"]],
    "compare": [MAKE, [*SEEDED, "-q", "-o", "model.json"],
                [*SEEDED[:-3], "99", *SEEDED[-2:], "-q", "-o", "other.json"],
                ["compare", "model.json", "other.json"]],
    "recut": [MAKE, [*CUT, "-q", "-o", "model.json"], ["recut", "model.json", "-k", "2"]],
    "recut-more": [MAKE, [*CUT, "-q", "-o", "model.json"],
                   ["recut", "model.json", "-k", "8", "--median", "-q"]],
    "synthesize": [MAKE, [*CUT, "-q", "-o", "model.json"],
                   ["synthesize", "model.json", "--rows", "5", "--seed", "3"]],
    "evaluate": [MAKE, [*SEEDED, "-q", "-o", "model.json"],
                 ["evaluate", "model.json", "people.csv", "--label-column", "class"]],
    "evaluate-median": [MAKE, [*SEEDED, "-q", "-o", "model.json"], EDIT,
                        ["evaluate", "model.json", "people.csv", "--restarts", "3"]],
    "generate-subspaces": [["generate", "subspaces", "--rows", "5", "--columns", "3", "--subspaces",
                            "2", "--dimension", "1", "--label-column", "class"]],
    "subspace": [UNION, [*SEEDED_FLAT, "--method", "sulq", "--rounds", "4"]],
    "subspace-pure": [UNION, [*SEEDED_FLAT[:-4], *SEEDED_FLAT[-2:]]],
    "subspace-gibbs": [UNION, [*SEEDED_FLAT[:-4], *SEEDED_FLAT[-2:], "--method", "gibbs",
                               "--rounds", "30", "--neighbors", "replace", "--labels", "--start",
                               "solver", "--missing", "midpoint"]],
    "subspace-noise": [UNION, [*FLAT[:-1], "--epsilon", "0.5", "--delta", "1e-6",
                               "--insecure-test-seed", "42", "--method", "sulq"]],
    "subspace-gibbs-noise": [UNION, [*FLAT[:-1], "--epsilon", "0.5", "--insecure-test-seed", "42",
                                     "--method", "gibbs", "--rounds", "30"]],
    "plan-subspace": [["plan", "subspace", "--dimensions", "5", "-k", "3", "-q", "2", "--epsilon",
                       "1", "--delta", "1e-6", "--radius", "1", "--rows-about", "5000", "--method",
                       "sulq+"]],
    "plan-subspace-pure": [["plan", "subspace", "--dimensions", "5", "-k", "3", "-q", "2",
                            "--epsilon", "1", "--radius", "1", "--rows-about", "5000"]],
    "subspace-plain": [UNION, FLAT],
    "subspace-plain-affine": [UNION, [*FLAT[:6], "-q", "1", *FLAT[8:], "--affine", "--solver",
                                      "tsc", "--columns", "c1,c2,c3"]],
    "predict-subspace": [UNION, [*FLAT, "--quiet", "-o", "model.json"],
                         ["generate", "subspaces", "--rows", "8", "--columns", "5", "--subspaces",
                          "2", "--dimension", "2", "--seed", "7", "-o", "few.csv"],
                         ["predict", "model.json", "few.csv"]],
    "evaluate-subspace": [UNION, [*FLAT, "--quiet", "-o", "model.json"],
                          ["evaluate", "model.json", "union.csv", "--label-column", "class",
                           "--restarts", "3", "--truth", "truth.json"]],
    "evaluate-diagnose": [UNION, [*FLAT, "--quiet", "-o", "model.json"],
                          ["evaluate", "model.json", "union.csv", "--label-column", "class",
                           "--diagnose"]],
    "evaluate-other-truth": [UNION, [*FLAT[:5], "3", *FLAT[6:], "--quiet", "-o", "model.json"],
                             ["evaluate", "model.json", "union.csv", "--label-column", "class",
                              "--truth", "truth.json"]],
    "generate-counts": [["generate", "counts", "--rows", "3", "--columns", "8", "--row-clusters",
                         "2", "--col-clusters", "2", "--mean", "6"]],
    "cocluster-row": [BASKETS, BY_ROW],
    "cocluster-entry": [BASKETS, BY_ENTRY],
    "cocluster-plain": [BASKETS, [*BLOCKS[:6], "--not-private", "--restarts", "3"]],
    "cocluster-picture": [BASKETS, [*BY_ROW, "-q", "-o", "model.json", "--picture", "-"]],
    "predict-cocluster": [BASKETS, [*BY_ROW, "-q", "-o", "model.json"],
                          ["generate", "counts", "--rows", "8", "--columns", "60", "--row-clusters",
                           "3", "--col-clusters", "3", "--seed", "7", "-o", "few.csv"],
                          ["predict", "model.json", "few.csv"]],
    "evaluate-cocluster": [BASKETS, [*BY_ENTRY, "-q", "-o", "model.json"],
                           ["evaluate", "model.json", "baskets.csv", "--labels", "classes.csv",
                            "--restarts", "3"]],
    "plan-cocluster": [["plan", "cocluster", "--shape", "x1000", "--rows", "4", "--cols", "4",
                        "--epsilon", "1", "--delta", "1e-6", "--rows-about", "5000"]],
    "plan-cocluster-entry": [["plan", "cocluster", "--shape", "5000x1000", "--rows", "4", "--cols",
                              "4", "--epsilon", "1", "--unit", "entry"]],
    "ledger-entry": [BASKETS, ["ledger", "init", "baskets.csv", "--epsilon", "4", "--unit", "entry",
                               "--shape", "20000x200"], ["ledger", "show", "baskets.csv"]],
    "plan": [PLAN],
    "plan-persons": [[*PLAN, "--unit-column", "who", "--rows-per-person", "2.5"]],
    "plan-persons-limit": [[*PLAN, "--unit-column", "who", "--max-rows-per-person", "2"]],
    "ledger-init": [MAKE, ["ledger", "init", "people.csv", "--epsilon", "4", "--bounds", "0:1"]],
    "ledger-show": [MAKE, ["ledger", "init", "people.csv", "--epsilon", "4", "--bounds", "0:1"],
                    ["ledger", "show", "people.csv"]],
    "ledger-show-json": [MAKE, ["ledger", "init", "people.csv", "--epsilon", "4", "--delta", "1e-5",
                                "--bounds", "0:1"], ["ledger", "show", "people.csv", "--json"]],
}
for command in COMMANDS:
    GOLDEN["help-" + command.replace(" ", "-")] = [[*command.split(), "--help"]]


def prepare(folder, step):
    if step is not EDIT:
        folder.run(step, check=0)
        return
    with open(folder.name("model.json"), encoding="utf-8") as file:
        text = file.read()
    with open(folder.name("model.json"), "w", encoding="utf-8") as file:
        file.write(text.replace('"family": "kmeans"', '"family": "kmedian"'))


def work(binary, update):
    def one(name):
        with harness.Folder(binary) as folder:
            for argv in GOLDEN[name][:-1]:
                prepare(folder, argv)
            done = folder.run(GOLDEN[name][-1])
        shown = done.stdout.decode()
        if name == "version":  # cli-manual knows those of the libraries
            shown = re.sub(r"(?m)^(  \S+ +).*", r"\1VERSION", shown)
        got = (shown + "--- stderr ---\n" + done.stderr.decode() +
               f"--- exit {done.returncode} ---\n")
        path = os.path.join(HERE, name + ".txt")
        if update:
            with open(path, "w", encoding="utf-8") as out:
                out.write(got)
        with open(path, encoding="utf-8") as file:
            wanted = file.read()
        wrong = ([] if got == wanted
                 else ["wanted:", *wanted.splitlines(), "got:", *got.splitlines()])
        wrong += [f"wider than 80 columns: {line}" for line in got.splitlines()
                  if len(line) > 80 and name.startswith("help")]
        return "golden " + name, wrong
    return one


def examples(binary):
    """Every example of every help runs as it stands."""
    def one(command):
        wrong = []
        with harness.Folder(binary) as folder:
            text = folder.run([*command.split(), "--help"], check=0).stdout.decode()
            lines = text[text.index("\nExamples\n"):].split("\n\n")[0].replace("\\\n",
                                                                               "").splitlines()[2:]
            for line in lines:
                done = folder.run(line.split()[1:])
                if done.returncode != 0:
                    wrong.append(f"{line}: exit {done.returncode}: {done.stderr.decode()[:300]}")
            if not lines:
                wrong.append("no example")
        return "examples of " + command, wrong
    return one


def told_lines(name, text):
    """The command lines of a page in their order: indented ones of a document."""
    if name.endswith(".scd"):
        return re.findall(r"^tacit .*", text[text.index("# EXAMPLES"):], re.M)
    return re.findall(r"^    (tacit .*)$", text, re.M)


def told_examples(binary, root):
    """The examples of the manual page and of the documents run as they stand, one after the other,
    and show something good: wherever classes are known, the groups agree with them, and bounds
    hold the rows. Audits take longer and have tests of their own; guides are followed in
    tutorials.py."""
    def one(name):
        wrong = []
        with open(os.path.join(root, name), encoding="utf-8") as file:
            lines = [line for line in told_lines(name, file.read())
                     if not line.startswith("tacit audit")]
        with harness.Folder(binary) as folder:
            for line in lines:
                done = folder.run(shlex.split(line)[1:])
                agree = re.findall(r"^  NMI +([0-9.]+)$", done.stdout.decode(), re.M)
                out = re.findall(rb"^rows outside the bounds +([0-9.]+) %", done.stdout, re.M)
                if done.returncode != 0 or any(float(nmi) < 0.9 for nmi in agree) or any(
                        float(share) > 1 for share in out):
                    wrong.append(f"{line}: exit {done.returncode}: {done.stderr.decode()[:300]} "
                                 f"{done.stdout.decode()[-300:]}")
        return "examples of " + name, wrong if len(lines) > 5 else ["too few examples"]
    return one


# What --json prints: command lines, and names the last one's document must have.
JSON = {
    "kmeans": ([MAKE, [*SEEDED, "--json"]], ["centers", "sizes", "privacy"]),
    "kmeans to standard output": ([MAKE, [*SEEDED, "-o", "-"]], ["centers", "sizes", "privacy"]),
    "plan": ([[*PLAN, "--json"]], ["steps", "advice"]),
    "plan of limits": ([[*PLAN, "--unit-column", "who", "--json"]],
                       ["rows_per_person", "limits", "recommended", "advice", "bias"]),
    "kmeans --list-methods": ([["kmeans", "--list-methods", "--json"]], []),
    "kmedian --list-methods": ([["kmedian", "--list-methods", "--json"]], []),
    "evaluate": ([MAKE, [*SEEDED, "-q", "-o", "model.json"],
                  ["evaluate", "model.json", "people.csv", "--json"]],
                 ["private", "warning", "rows", "cost_is", "cost", "plain_cost", "one_mean_cost",
                  "nmi", "ari", "clipped"]),
    "subspace": ([UNION, [*FLAT, "--json"]],
                 ["subspaces", "offsets", "profile", "labels", "sizes", "privacy"]),
    "subspace --list-methods": ([["subspace", "--list-methods", "--json"]], []),
    "evaluate of subspaces": ([UNION, [*FLAT, "--quiet", "-o", "model.json"],
                               ["evaluate", "model.json", "union.csv", "--truth", "truth.json",
                                "--json"]], ["private", "cost", "plain_cost", "one_subspace_cost",
                                             "distance_sine", "distance_projector"]),
    "evaluate --diagnose": ([UNION, [*FLAT, "--quiet", "-o", "model.json"],
                             ["evaluate", "model.json", "union.csv", "--diagnose", "--json"]],
                            ["private", "cost", "diagnosis"]),
    "ledger show": ([MAKE, ["ledger", "init", "people.csv", "--epsilon", "4", "--bounds", "0:1"],
                     ["ledger", "show", "people.csv", "--json"]],
                    ["dataset", "epsilon", "delta", "spent", "epsilon_left", "delta_left", "runs"]),
    "ledger history": ([MAKE, ["ledger", "init", "people.csv", "--epsilon", "4", "--bounds", "0:1"],
                        [word for word in SEEDED if word not in ("--insecure-test-seed", "42")],
                        ["ledger", "history", "people.csv", "--json"]], None),
}


FAMILIES = {
    "kmeans": PLAN[1:],
    # one row per person: limit 2 has a round less than limit 1, and 0.3 % less noise
    "kmeans, nearly a tie": ["kmeans", "--dimensions", "3", "-k", "5", "--epsilon", "1", "--bounds",
                             "0:1", "--rows-about", "10000"],
    "kmedian": ["kmedian", *PLAN[2:-2]],
    "subspace": ["subspace", "--dimensions", "5", "-k", "3", "-q", "2", "--epsilon", "1",
                 "--delta", "1e-6", "--radius", "1", "--rows-about", "5000"],
    "cocluster": ["cocluster", "--shape", "x50", "--rows", "4", "--cols", "4", "--epsilon", "1",
                  "--delta", "1e-6", "--rows-about", "5000"]}
# E[min(X, limit)] / E[X] by hand for limits 1, 2, 5, 10, 20.
KEPT = {1: [1, 1, 1, 1, 1], 2: [1 / 2, 3 / 4, 31 / 32, 1023 / 1024, 1048575 / 1048576],
        4: [1 / 4, 7 / 16, 781 / 1024, 989527 / 1048576, 0.996828788061066]}


def limits(binary):
    """A plan that compares limits: shares of rows that are kept, and what is made of them."""
    def one(name):
        wrong, argv = [], FAMILIES[name]
        about = int(argv[argv.index("--rows-about") + 1])
        clusters = int(argv[argv.index("-k" if "-k" in argv else "--rows") + 1])
        with harness.Folder(binary) as folder:
            for mean in [1, 1.25, 2, 4, 1000]:
                plan = json.loads(folder.run(["plan", *argv, "--unit-column", "who",
                                              "--rows-per-person", str(mean), "--json"],
                                             check=0).stdout)
                rows = plan["limits"]
                most = [row["max_rows_per_person"] for row in rows]
                kept = [row["kept"] for row in rows]
                # the chance of x rows is (1 - p)^(x - 1) p: the sum itself, where it is short
                known = KEPT.get(mean) or [
                    sum((1 - 1 / mean) ** x for x in range(limit)) / mean for limit in most]
                if most != [1, 2, 5, 10, 20]:
                    wrong.append(f"limits {most}")
                if any(abs(a - b) > 1e-9 for a, b in zip(kept, known)):
                    wrong.append(f"mean {mean}: kept {kept}, not {known}")
                if kept != sorted(kept) or mean > 1 and len(set(kept)) != 5:
                    wrong.append(f"mean {mean}: kept {kept} does not grow")
                errors = [row["size_error"] for row in rows]
                parts = [row["size_noise"] / (max(1, about * row["kept"]) / clusters)
                         for row in rows]
                if any(abs(a - b) > 1e-6 * b for a, b in zip(errors, parts)):
                    wrong.append(f"mean {mean}: errors {errors}, not {parts}")
                bearable = [i for i in range(5) if errors[i] <= 0.05]
                best = 0
                for i, error in enumerate(errors):
                    if not bearable:
                        best = i if error < 0.95 * errors[best] else best
                    elif i in bearable and (best not in bearable or kept[i] > 1.02 * kept[best]):
                        best = i
                if plan["recommended"] != most[best] or mean == 1 and best != 0:
                    wrong.append(f"mean {mean}: {plan['recommended']} of {errors}")
        return "limits of " + name, wrong
    return one


def methods(objective, listed):
    """What is wrong with a list of methods."""
    wrong = [f"{method.get('name')}: {key}" for method in listed
             for key in ("name", "summary", "guarantee", "paper")
             if not isinstance(method.get(key), str) or not method[key] or len(method[key]) > 300]
    wrong += [f"{method['name']} does not do {objective}" for method in listed
              if method[objective] is not True]
    names = [method["name"] for method in listed]
    if len(set(names)) != len(names) or sum(method["default"] for method in listed) != 1:
        wrong.append(f"names {names} are not different, or not one of them is the default")
    return wrong


def documents(binary):
    def one(name):
        lines, wanted = JSON[name]
        with harness.Folder(binary) as folder:
            for argv in lines[:-1]:
                folder.run(argv, check=0)
            got = json.loads(folder.run(lines[-1], check=0).stdout)
        if wanted is None:
            kinds = [entry["kind"] for entry in got]
            return "JSON of " + name, [] if kinds == ["open", "reserve", "commit"] else [str(kinds)]
        if not wanted:
            return "JSON of " + name, methods(name.split()[0], got)
        return "JSON of " + name, [f"no {key}" for key in wanted if key not in got]
    return one


def chosen(binary):
    """k left to the command: the best of its curve, shown in a picture and written in the release;
    also for k-median, and what evaluate says of the two."""
    def one(objective):
        wrong, said = [], {"kmeans": "mean squared distance to",
                           "kmedian": "mean distance to"}[objective]
        argv = [objective, "people.csv", "--columns", "x1,x2,x3", "-k", "auto", "--k-max", "9",
                "--epsilon", "1", "--delta", "1e-6", "--bounds", "0:1", "--insecure-test-seed", "3",
                "-o", "model.json"]
        with harness.Folder(binary) as folder:
            folder.run(MAKE, check=0)
            done = folder.run(argv, check=0)
            with open(folder.name("model.json"), encoding="utf-8") as file:
                model = json.load(file)
            shown = folder.run(["evaluate", "model.json", "people.csv", "--restarts", "2"],
                               check=0).stdout.decode()
            labels = folder.run(["predict", "model.json", "people.csv"],
                                check=0).stdout.decode().split()
        text, curve = done.stdout.decode(), model["k_curve"]
        if (model["family"] != objective or len(curve) != 9 or model["k"] != 4
            or max(curve) != curve[3]):
            wrong.append(f"{model['family']}, k = {model['k']}, curve {curve}; there are "
                         "4 clusters")
        if ("4 groups (strength 0." not in text or ": clear)" not in text
            or text.count("<- chosen") != 1):
            wrong.append("no picture: " + text)
        for note in model["notes"]:
            if "note: " + note not in done.stderr.decode():
                wrong.append("a note was not said: " + note)
        if said not in shown or f"plain k-{objective[1:]}, best of 2" not in shown:
            wrong.append(shown)
        if len(set(labels[1:])) != 4:
            wrong.append(f"labels {set(labels)}")
        return f"{objective} -k auto", wrong
    return one


def chosen_without_groups(binary):
    """Rows without groups: what to do next names recut only where the release has cells to cut, and
    recut -k auto shows the curve and refuses."""
    argv = ["kmeans", "people.csv", "-k", "auto", "--epsilon", "8", "--delta", "1e-6", "--bounds",
            "0:1", "--insecure-test-seed", "3", "-o", "model.json"]
    wrong = []
    with harness.Folder(binary) as folder:
        folder.run(["generate", "mixture", "--rows", "20000", "--columns", "2", "--clusters", "1",
                    "-o", "people.csv"], check=0)
        bare = folder.run([*argv, "--no-synopsis"], check=0).stdout.decode()
        text = folder.run(argv, check=0).stdout.decode()
        cut = folder.run(["recut", "model.json", "-k", "auto"])
    for shown in (bare, text):
        if "No clear groups" not in shown:
            wrong.append(shown)
    if "tacit recut RELEASE" not in text or "recut" in bare or "a run with -k N" not in bare:
        wrong.append(text + bare)
    if (cut.returncode != 64 or "No clear groups" not in cut.stdout.decode()
        or "saw no groups" not in cut.stderr.decode()):
        wrong.append((cut.stdout + cut.stderr).decode())
    return "no groups: recut is named where there are cells", wrong


def same_for_any_threads(binary):
    """One seed gives one release, whatever the number of threads."""
    with harness.Folder(binary) as folder:
        folder.run(MAKE, check=0)
        outs = [folder.run([*SEEDED[:-2], "--method", method, "--json", "--threads", str(t)],
                           check=0).stdout for method in ("lloyd", "auto") for t in (1, 2, 5)]
    return "the release does not depend on threads", [] if len(set(outs)) == 2 else ["it does"]


# What another processor would choose: BLAS kernels for an old one, libm without AVX2 and FMA.
OLD_PROCESSOR = {"OPENBLAS_CORETYPE": "Prescott",
                 "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4,-AVX"}


def same_on_any_processor(binary):
    """One seed gives one release of method auto, whatever the libraries find in the processor."""
    def one(name):
        make, argv = {
            "kmeans": (MAKE, CUT),
            "kmeans of many columns": (
                ["generate", "mixture", "--rows", "2000", "--columns", "40", "-o", "wide.csv"],
                ["kmeans", "wide.csv", "-k", "3", "--epsilon", "1", "--delta", "1e-6", "--bounds",
                 "0:1", "--insecure-test-seed", "42"]),
            "subspace": (UNION, SEEDED_FLAT),
            "cocluster": (BASKETS, BY_ROW)}[name]
        with harness.Folder(binary) as folder:
            folder.run(make, check=0)
            outs = [folder.run([*argv, "--json"], check=0, **processor).stdout
                    for processor in ({}, OLD_PROCESSOR)]
        return (f"{name}: the release does not depend on the processor",
                [] if outs[0] == outs[1] else ["it does"])
    return one


def hides_size(binary):
    """How many rows there are is private: 8643 of them, and no line says so. Seeded: no noisy size
    is 8643 by chance."""
    with harness.Folder(binary) as folder:
        folder.write({"rows.csv": b"x,y\n" + b"0.25,0.75\n" * 8643})
        done = folder.run(["kmeans", "rows.csv", "-k", "2", "--epsilon", "1", "--bounds", "0:1",
                           "--insecure-test-seed", "42", "-o", "model.json"], check=0)
        with open(folder.name("model.json"), encoding="utf-8") as file:
            seen = (done.stdout + done.stderr).decode() + file.read()
    return ("the exact number of rows is shown nowhere",
            [line for line in seen.split("\n") if "8643" in line])
