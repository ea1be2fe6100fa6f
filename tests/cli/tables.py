# SPDX-License-Identifier: Apache-2.0
"""Tables as people have them: what a new user's trial found wrong, each as a test. Runs have a test
seed, so every figure is the same each time."""
import json
import math
import random

SEED = ["--insecure-test-seed", "1"]
BUDGET = ["--epsilon", "1", "--delta", "1e-6"]
# Four groups: age, spend, visits, region.
GROUPS = [(25, 300, 4, "N"), (45, 1500, 12, "E"), (65, 5800, 20, "S"), (35, 900, 40, "W")]
BOUNDS = "age=18:100,spend=0:20000,visits=0:100"


def shop(rows=8000, holes=0.0):
    """A shop's customers; with holes some cells are empty, at random."""
    draw, gaps = random.Random(3), random.Random(4)
    lines = ["customer_id,name,sex,region,age,spend,visits,class"]
    for i in range(rows):
        age, spend, visits, region = GROUPS[i % 4]
        cells = [f"C{i:05d}", "Ann Other", draw.choice("FM"),
                 region if draw.random() < 0.8 else draw.choice("NESW"),
                 f"{min(100, max(18, draw.gauss(age, 5))):.1f}",
                 f"{spend * math.exp(draw.gauss(0, 0.25)):.2f}",
                 f"{max(0, draw.gauss(visits, 2)):.1f}", str(i % 4)]
        for j in (4, 5, 6):
            if gaps.random() < holes:
                cells[j] = ""
        lines.append(",".join(cells))
    return ("\n".join(lines) + "\n").encode()


def released(folder, argv, name="m.json"):
    done = folder.run([*argv, "-o", name], check=0)
    with open(folder.name(name), encoding="utf-8") as file:
        return json.load(file), done


def sorted_centers(model, column="age"):
    at = model["columns"].index(column)
    order = sorted(range(model["k"]), key=lambda c: model["centers"][c][at])
    return [(model["centers"][c], model["centers_noise_sd"][c]) for c in order]


def first_command(folder):
    """An ordinary file with ids and names: bounds that name columns select them."""
    folder.write({"patients.csv": b"patient_id,name,age,stay_days,cost\n" + b"".join(
        b"P%d,Jo,%d,%d,%d\n" % (i, 20 + i % 60, i % 30, 100 * (i % 70)) for i in range(400))})
    model, _ = released(folder, ["kmeans", "patients.csv", "-k", "2", *BUDGET, "--bounds",
                                 "age=0:110,stay_days=0:60,cost=0:90000"])
    refused = folder.run(["kmeans", "patients.csv", "-k", "2", *BUDGET, "--bounds", "0:20000"],
                         check=64)
    wrong = [] if model["columns"] == ["age", "stay_days", "cost"] else [str(model["columns"])]
    if b"patient_id" not in refused.stderr:
        wrong.append(refused.stderr.decode())
    return wrong


def missing(folder):
    """5 % of the cells empty, at random: centers stay within their error bars, whose noise both
    runs have; the middle of the bounds would move them."""
    folder.write({"full.csv": shop(), "holes.csv": shop(holes=0.05)})
    run = ["-k", "4", *BUDGET, "--bounds", BOUNDS, *SEED]
    full, _ = released(folder, ["kmeans", "full.csv", *run])
    holes, _ = released(folder, ["kmeans", "holes.csv", *run])
    middle, _ = released(folder, ["kmeans", "holes.csv", *run, "--missing", "midpoint"])
    wrong = []

    def farthest(other):
        return max(abs(x - y) / math.hypot(s, t)
                   for (a, b), (c, d) in zip(sorted_centers(full), sorted_centers(other))
                   for x, s, y, t in zip(a, b, c, d))
    if farthest(holes) > 3:
        wrong.append(f"centers moved by {farthest(holes):.1f} error bars")
    if farthest(middle) < 8:
        wrong.append(f"the midpoint moved centers by {farthest(middle):.1f} error bars only: this "
                     "test sees nothing")
    if (holes["geometry"]["missing"], middle["geometry"]["missing"]) != ("drop-row", "midpoint"):
        wrong.append("the release does not say which rule held")
    return wrong


def wrong_bounds(folder):
    """Bounds that cut a column off are named, in the release too."""
    folder.write({"data.csv": shop()})
    model, done = released(folder, ["kmeans", "data.csv", "-k", "4", *BUDGET, "--bounds",
                                    "age=0:10,spend=0:20000,visits=0:100", *SEED])
    told = [note for note in model["notes"] if "age" in note and "bound" in note]
    shown = folder.run(["evaluate", "m.json", "data.csv"], check=0).stdout.decode()
    wrong = [] if told and "column age" in done.stderr.decode() else [str(model["notes"])]
    if not any(line.split()[:1] == ["age"] and "100" in line for line in shown.splitlines()):
        wrong.append(f"evaluate does not list the share of clipped ages: {shown}")
    return wrong


def wide_bounds(folder):
    """One column declared a thousand times too wide: the groups are still found, and the release
    says which bounds were used."""
    folder.write({"data.csv": shop(rows=20000)})
    costs = []
    for bounds in (BOUNDS, "age=18:100,spend=0:20000000,visits=0:100"):
        model, _ = released(folder, ["kmeans", "data.csv", "-k", "4", *BUDGET, "--bounds", bounds,
                                     *SEED])
        top = sorted_centers(model)[-1][0][model["columns"].index("spend")]
        costs.append(top)
    wrong = []
    if not 0.95 < costs[1] / costs[0] < 1.05:
        wrong.append(f"the top group spends {costs}")
    if model["geometry"].get("estimated") != ["spend"] or not any("spend" in note for note
                                                                  in model["notes"]):
        wrong.append(f"the release does not say so: {model['geometry']}")
    return wrong


def beyond_bounds(folder):
    """Nearly all rows lie beyond a bound: the bounds found are told apart, and what they touch."""
    draw = random.Random(6)
    folder.write({"data.csv": b"a,b\n" + b"".join(
        b"%.3f,%.3f\n" % (draw.gauss(60, 5), draw.gauss(0.5, 0.1)) for i in range(20000))})
    model, _ = released(folder, ["kmeans", "data.csv", "-k", "2", *BUDGET, "--bounds",
                                 "a=0:14,b=0:1", *SEED])
    told = [note for note in model["notes"] if note.startswith("column a: its rows fill")]
    if len(told) != 1:
        return [str(model["notes"])]
    low, _, high = told[0].split("bounds ")[1].split(",")[0].split(" ")
    wrong = [] if float(low) < float(high) else [f"bounds {low} to {high}"]
    if "reach the declared 14: rows that lie beyond it were moved" not in told[0]:
        wrong.append(told[0])
    return wrong


def few_rows(folder):
    """A sum of sizes within its noise is told as what it is: how many rows took part at most.
    Centers that repeat others have no noise, and do not count."""
    folder.write({"data.csv": shop(rows=3000)})
    run = ["kmeans", "data.csv", "--delta", "1e-6", "--bounds", "age=18:100,spend=0:20000", *SEED]
    said = "noise hides how many rows took part, up to about "

    def most(*options):
        model, _ = released(folder, [*run, *options])
        return [int(note[len(said):].split(";")[0]) for note in model["notes"]
                if note.startswith(said)]
    nobody = most("-k", "4", "--epsilon", "1", "--categories", "region=X|Y")
    hidden = most("-k", "4", "--epsilon", "0.01")
    repeated = most("-k", "100000", "--epsilon", "1")
    wrong = []
    if not (len(nobody) == 1 and nobody[0] < 200):
        wrong.append(f"words that fit no row: {nobody}")
    if not (len(hidden) == 1 and hidden[0] > 3000):
        wrong.append(f"epsilon 0.01: {hidden}")
    if repeated:
        wrong.append(f"most centers repeat others: {repeated}")
    return wrong


def repeated_centers(folder):
    """Of a hundred thousand centers those that repeat others are counted, not printed."""
    folder.write({"data.csv": shop(rows=3000)})
    model, done = released(folder, ["kmeans", "data.csv", "-k", "100000", *BUDGET, "--bounds",
                                    "age=18:100,spend=0:20000", *SEED])
    own = sum(size != 0 for size in model["sizes"])
    text = done.stdout.decode()
    return [] if f"{100000 - own} more repeat these" in text and text.count("\n") < 2000 else [
        f"{own} centers of their own, {len(text.splitlines())} lines"]


def affine_units(folder):
    """With bounds reach is in parts of the range, and a point in the columns' own units."""
    folder.write({"data.csv": shop(rows=3000)})
    run = ["subspace", "data.csv", "-k", "2", "-q", "1", *BUDGET, "--columns", "age,spend", *SEED]
    box = folder.run([*run, "--affine", "--bounds", "age=18:100,spend=0:20000"], check=0)
    through = folder.run([*run, "--bounds", "age=18:100,spend=0:20000"], check=0)
    ball = folder.run([*run, "--affine", "--radius", "20000"], check=0)
    divided, own = b"of columns divided by their range", b"a point is in the columns' own units"
    return [done.stdout.decode() for done, wanted in (
        (box, (True, True)), (through, (True, False)), (ball, (False, False)))
        if (divided in done.stdout, own in done.stdout) != wanted]


def many_columns(folder):
    """Fifty columns: how much rows differ is not asked for, and nobody says that noise hides what
    sets the groups apart."""
    draw = random.Random(7)
    lines = [",".join(f"c{j}" for j in range(50))]
    lines += [",".join(f"{draw.gauss(0.2 if i % 2 else 0.8, 0.1):.3f}" for _ in range(50))
              for i in range(3000)]
    folder.write({"wide.csv": ("\n".join(lines) + "\n").encode()})
    _, done = released(folder, ["kmeans", "wide.csv", "-k", "2", *BUDGET, "--bounds", "0:1", *SEED])
    page = folder.run(["report", "m.json"], check=0).stdout.decode()
    wrong = [] if "is not ranked here" in done.stdout.decode() else [done.stdout.decode()]
    own = page.split('data-k="2"')[1].split('class="cut"')[0]
    if own.count("<li>higher <b>") != 4 or own.count("<li>lower <b>") != 4:
        wrong.append(own[:2000])
    return wrong


def one_unit(folder):
    """Places on a map have one range for both columns: a narrow one is narrow and is kept so."""
    draw = random.Random(5)
    folder.write({"map.csv": b"east,north\n" + b"".join(
        b"%.1f,%.1f\n" % (1e5 * (i % 10) + draw.gauss(0, 900), 5e5 + draw.gauss(0, 900))
        for i in range(20000))})
    model, _ = released(folder, ["kmeans", "map.csv", "-k", "10", *BUDGET, "--bounds", "0:1000000",
                                 *SEED])
    return [] if "estimated" not in model["geometry"] else [str(model["geometry"])]


def private_bounds(folder):
    """Nothing is known but the names of the columns."""
    folder.write({"data.csv": shop(rows=20000)})
    run = ["kmeans", "data.csv", "-k", "4", *BUDGET, *SEED]
    known, _ = released(folder, [*run, "--bounds", BOUNDS])
    looked, _ = released(folder, [*run, "--bounds", "age=private,spend=private,visits=private"])
    wrong = []
    for (a, _), (b, _) in zip(sorted_centers(known), sorted_centers(looked)):
        if any(abs(x - y) > 0.1 * max(abs(x), 5) for x, y in zip(a, b)):
            wrong.append(f"{a} and {b}")
    if not any(note.startswith("bounds of age, spend, visits were estimated") for note
               in looked["notes"]) or known["notes"]:
        wrong.append(f"notes: {looked['notes']}, {known['notes']}")
    if looked["geometry"]["bounds_origin"] != "estimated":
        wrong.append(looked["geometry"]["bounds_origin"])
    spent = sum(query["cost"] for query in looked["privacy"]["queries"]
                if "column" in query["what"]) / looked["privacy"]["native"]["budget"]
    if not 0.05 < spent < 0.11:
        wrong.append(f"{spent:.3f} of the budget went to bounds")
    return wrong


def categories(folder):
    """Texts as categories: shares that add up to 1, and groups that are found."""
    folder.write({"data.csv": shop()})
    model, shown = released(folder, [
        "kmeans", "data.csv", "-k", "4", *BUDGET, "--bounds",
        "age=18:100,spend=10:20000,visits=0:100",
        "--log", "spend", "--categories", "sex=F|M,region=N|E|S|W", "--weights",
        "sex=0.2,region=0.25", *SEED])
    at = [model["columns"].index("region=" + r) for r in "NESW"]
    wrong = []
    if b"\nspend: the deviation of the transformed values times the slope" not in shown.stdout:
        wrong.append(shown.stdout.decode())
    page = folder.run(["report", "m.json"], check=0).stdout
    if b"is drawn on that scale" not in page or b"times the slope at the center" not in page:
        wrong.append("the page does not say what is on which scale")
    for center in model["centers"]:
        shares = [center[j] for j in at]
        if min(shares) < 0 or max(shares) > 1 or abs(sum(shares) - 1) > 1e-9:
            wrong.append(f"shares {shares}")
    done = folder.run(["evaluate", "m.json", "data.csv", "--label-column", "class", "--json"],
                      check=0)
    if json.loads(done.stdout)["ari"] < 0.8:
        wrong.append(f"adjusted Rand index {json.loads(done.stdout)['ari']}")
    top = sorted_centers(model)[-1][0]
    if not (0.6 < top[at[2]] < 0.95 and 5000 < top[model["columns"].index("spend")] < 6500):
        wrong.append(f"the oldest group: {top}")
    alone, _ = released(folder, ["kmeans", "data.csv", "-k", "2", *BUDGET, "--categories",
                                 "region=N|E|S|W", *SEED], "alone.json")
    if alone["columns"] != ["region=" + r for r in "NESW"]:
        wrong.append(f"categories alone: {alone['columns']}")
    labels = folder.run(["predict", "m.json", "data.csv"], check=0).stdout.splitlines()
    if len(labels) != 8001:
        wrong.append(f"{len(labels)} lines of labels")
    return wrong


def ordered(folder):
    """The largest cluster first, and the run's id as in the ledger's history."""
    folder.write({"data.csv": shop()})
    folder.run(["ledger", "init", "data.csv", "--epsilon", "3", "--delta", "1e-5", "--bounds",
                BOUNDS], check=0)
    model, _ = released(folder, ["kmeans", "data.csv", "-k", "4", *BUDGET])
    history = folder.run(["ledger", "history", "data.csv"], check=0).stdout.decode()
    wrong = [] if model["sizes"] == sorted(model["sizes"], reverse=True) else ["not by size"]
    if model["privacy"]["ledger_run"][:8] not in history or "age, spend, visits" not in history:
        wrong.append(history)
    return wrong


CASES = [first_command, missing, wrong_bounds, wide_bounds, beyond_bounds, few_rows,
         repeated_centers, affine_units, many_columns, one_unit, private_bounds, categories,
         ordered]
