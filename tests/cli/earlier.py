# SPDX-License-Identifier: Apache-2.0
"""Files in tests/data/earlier, kept as versions 0.1, 0.2 and 0.3 wrote them: releases of every
format, with the labels that the same version gave rows, and ledgers of every format. Today's
command reads the releases as they were meant, and what is spent stays spent."""
import json
import os

import harness

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "earlier")
BUDGET = ["--epsilon", "4", "--delta", "1e-5"]
RUN = ["kmeans", "rows.csv", "-k", "3", "--epsilon", "1", "--delta", "1e-6", "--quiet"]
# What the version that wrote it said is spent of BUDGET, and whether runs go on with it.
LEDGERS = {"format1.ledger": ("rows.csv", 0.5204820638560061, False),
           "format2.ledger": ("counts.csv", 0.06549286904440077, False),
           "format3-0.2.ledger": ("rows.csv", 0.5204820638555514, True),
           "format3-0.3.ledger": ("rows.csv", 0.5204820638555514, True)}


def stored(name):
    with open(os.path.join(FOLDER, name), "rb") as file:
        return file.read()


def near(spent, wanted):
    """The same, but for what rounding up may add."""
    return wanted - 1e-9 <= spent <= wanted + 1e-6


def release(binary):
    """A release is read, shown, reported on, and gives rows the labels that it gave them then."""
    labels = json.loads(stored("labels.json"))

    def one(name):
        was, wrong = json.loads(stored(name)), []
        rows = "counts.csv" if was.get("family") == "cocluster" else "rows.csv"
        with harness.Folder(binary) as folder:
            folder.write({"old.json": stored(name), rows: stored(rows)})
            given = folder.run(["predict", "old.json", rows, "--quiet"], check=0).stdout.split()
            if b"".join(given[1:]).decode() != labels[name]:
                wrong.append("predict gives other labels")
            folder.run(["evaluate", "old.json", rows, "--quiet"], check=0)
            page = folder.run(["report", "old.json", "-o", "-"], check=0).stdout.decode()
            if f"{was['privacy']['epsilon']:g}" not in page or "</html>" not in page:
                wrong.append("its report does not say epsilon")
            means = "centers" in was
            folder.run(["compare", "old.json", "old.json", "--quiet"], check=0 if means else 64)
            cut = means and not was.get("cut_from")
            folder.run(["recut", "old.json", "-k", "1", "-o", "one.json", "--quiet"],
                       check=0 if cut else 64)
            if cut:
                with open(folder.name("one.json"), encoding="utf-8") as file:
                    card = json.load(file)["privacy"]
                if any(card[key] != was["privacy"][key] for key in ("epsilon", "delta")):
                    wrong.append("recut says another budget")
        return f"{name} is read", wrong
    return one


def ledger(binary):
    """Runs go on with a ledger, or it is carried; either way what was spent is spent."""
    def one(name):
        rows, spent, goes_on = LEDGERS[name]
        mine = rows + ".ledger"
        init = (["--bounds", "0:1"] if rows == "rows.csv" else ["--unit", "entry", "--shape",
                                                               "60x4"])
        wrong = []
        with harness.Folder(binary) as folder:
            folder.write({rows: stored(rows), mine: stored(name)})
            shown = folder.run(["ledger", "show", rows, "--json"])
            if goes_on:
                found = json.loads(shown.stdout)
                if not near(found["spent"], spent) or found["runs"] != 2:
                    wrong.append(f"show: {found}")
                folder.run(["ledger", "history", rows], check=0)
            elif shown.returncode != 76 or shown.stdout != b"":
                wrong.append(f"show of one that declares nothing: exit {shown.returncode}")
            else:
                refused = folder.run([*RUN, "--bounds", "0:1"] if rows == "rows.csv" else
                                     ["cocluster", rows, "--rows", "2", "--cols", "2", "--epsilon",
                                      "1", "--delta", "1e-6", *init])
                if refused.returncode != 76 or refused.stdout != b"":
                    wrong.append(f"a run on it: exit {refused.returncode}")
                wrong += [] if stored(name) == open(folder.name(mine), "rb").read() else ["changed"]
            # Without --carry nobody begins anew where there is one.
            anew = folder.run(["ledger", "init", rows, *BUDGET, *init])
            if anew.returncode == 0:
                wrong.append("a new ledger took its place")
            folder.run(["ledger", "init", rows, *BUDGET, *init, "--carry", mine, "--as-owner"],
                       check=0)
            if not near(folder.spent(rows)["spent"], spent):
                wrong.append(f"carried: {folder.spent(rows)}")
        return f"{name}: what is spent stays spent", wrong
    return one


def goes_on(binary):
    """A run on a ledger of an earlier version adds to it; one that is too much is refused."""
    def one(name):
        wrong = []
        with harness.Folder(binary) as folder:
            folder.write({"rows.csv": stored("rows.csv"), "rows.csv.ledger": stored(name)})
            much = list(RUN)
            much[much.index("1")] = "3.9"
            refused = folder.run(much)
            if refused.returncode != 75 or refused.stdout != b"":
                wrong.append(f"more than is left: exit {refused.returncode}")
            folder.run(RUN, check=0)
            now = folder.spent("rows.csv")
            if now["spent"] < LEDGERS[name][1] + 0.01 or now["runs"] != 3:
                wrong.append(f"after a run: {now}")
        return f"{name}: runs go on", wrong
    return one


def work(tap, binary, only):
    names = sorted(name for name in os.listdir(FOLDER) if name.startswith("format"))
    files = [name for name in names if name.endswith(".json") and only in name]
    tap.each(files, release(binary))
    tap.each([name for name in LEDGERS if only in name], ledger(binary))
    tap.each([name for name, told in LEDGERS.items() if told[2] and only in name], goes_on(binary))
    tap.check(only or sorted(LEDGERS) == [name for name in names if name.endswith(".ledger")],
              "every ledger of an earlier version is tried")
    formats = {json.loads(stored(name))["format"] for name in files}
    tap.check(only or formats == set(range(1, max(formats) + 1)),
              f"releases of formats {sorted(formats)}")
