# SPDX-License-Identifier: Apache-2.0
"""Options thrown together at random: a run or a refusal, never a crash, and a refused command line
spends nothing."""
import json
import random

import bad_input
import harness

LINES = 250
DATA = b"who,age,stay\n" + b"".join(b"p%d,%d,%d\n" % (i // 3, 20 + i * 37 % 60, i * 13 % 30)
                                    for i in range(300))

# Each a list of ways to say (or not to say) something; how often nothing is said is the number of
# empty ones.
CHOICES = [
    [["-k", "3"], ["-k", "1"], ["-k", "auto"], ["-k", "40"], ["-k", "400"]] * 4 +
    [["-k", "auto", "--k-max", "4"], ["-k", "2", "--k-max", "4"]],
    [["--epsilon", "1"], ["--epsilon", "0.01"], ["--epsilon", "1e-6"], ["--epsilon", "900"]],
    [[], ["--delta", "1e-6"], ["--delta", "1e-6"], ["--delta", "0.1"]],
    [["--bounds", "age=0:120,stay=0:60"], ["--bounds", "0:100"], ["--bounds", "200:300"],
     ["--bounds", "-1e-9:1e-9"], ["--radius", "100"], ["--radius", "1e-3", "--center", "50,10"]],
    [["--label-column", "who"]] * 2 + [["--unit-column", "who", "--max-rows-per-person", "2"],
                                       ["--columns", "stay"], ["--columns", "age,stay"]],
    [[], [], ["--neighbors", "replace"]],
    [[]] * 8 + [["--rounds", "1"], ["--rounds", "30"]],
    [[], [], ["--scale", "none"]],
    [[]] * 15 + [["--constants", "theory"]],
    [[], [], [], ["--sparsity", "1"], ["--sparsity", "2"]],
    [[], [], ["--json"], ["-q"]],
    [[], ["--insecure-test-seed", "5"]],
]

# The same for subspaces: three columns of numbers.
FLAT_DATA = b"who,a,b,c\n" + b"".join(b"p%d,%d,%d,%d\n" % (i // 3, i % 7, i * 13 % 29 - 14,
                                                           i * 37 % 11 - 5) for i in range(300))
FLAT_LINES = 120
FLAT_CHOICES = [
    [["-k", "2"], ["-k", "1"], ["-k", "3"], ["-k", "auto"], ["-k", "20"]] * 3 +
    [["-k", "auto", "--k-max", "3"]],
    [["-q", "1"], ["-q", "2"], ["-q", "auto"]] * 3 + [["-q", "3"], ["-q", "auto", "--q-max", "1"]],
    [["--epsilon", "1"], ["--epsilon", "0.01"], ["--epsilon", "900"]] * 3 +
    [["--not-private"], ["--not-private", "--solver", "tsc"]],
    [[], ["--delta", "1e-6"], ["--delta", "1e-6"], ["--delta", "1e-6"], ["--delta", "0.1"]],
    [["--radius", "10"], ["--radius", "1e-3"], ["--radius", "1e6"], ["--bounds", "-20:20"],
     ["--bounds", "1:2"], ["--radius", "20", "--center", "3"]],
    [["--label-column", "who"]] * 3 + [["--unit-column", "who", "--max-rows-per-person", "2"],
                                       ["--columns", "a,b"]],
    [[], [], ["--neighbors", "replace"]],
    [[]] * 4 + [["--affine"]],
    [[]] * 8 + [["--rounds", "1"], ["--rounds", "4"]],
    [[]] * 3 + [["--scale", "none"]],
    [[]] * 12 + [["--parts", "5"], ["--overlapping-parts"], ["--start", "solver"], ["--labels"],
                 ["--solver", "kplane"], ["--chains", "2"]],
    [[], [], ["--json"], ["--quiet"]],
    [[], ["--insecure-test-seed", "5"]],
]


# The same for tables of counts.
BLOCK_DATA = b"who,row,col,count\n" + b"".join(b"p%d,%d,%d,%d\n" % (i // 12, i // 4, i * 7 % 23,
                                                                    1 + i % 3) for i in range(600))
BLOCK_LINES = 100
BLOCK_CHOICES = [
    [["--rows", "3"], ["--rows", "1"], ["--rows", "2"], ["--rows", "40"],
     ["--rows", "auto"]],
    [["--cols", "3"], ["--cols", "1"], ["--cols", "23"], ["--cols", "24"],
     ["--cols", "auto"]],
    [["--epsilon", "1"], ["--epsilon", "0.01"], ["--epsilon", "900"]] * 4 + [["--not-private"]],
    [[], ["--delta", "1e-6"], ["--delta", "1e-6"], ["--delta", "0.1"]],
    [[], ["--unit", "row"], ["--unit", "entry"], ["--unit", "entry"],
     ["--unit-column", "who", "--max-rows-per-person", "2"]],
    [[], ["--shape", "x23"], ["--shape", "150x23"], ["--shape", "200x30"], ["--shape", "x24"]],
    [[]] * 5 + [["--neighbors", "replace"]],
    [[]] * 6 + [["--rounds", "2"], ["--row-labels", "0.3"], ["--least-z", "0"]],
    [[], [], ["--json"], ["-q"]],
    [[], ["--insecure-test-seed", "5"]],
]


def block_lines(binary):
    with harness.Folder(binary) as folder:
        names = [method["name"]
                 for method
                 in json.loads(folder.run(["cocluster", "--list-methods", "--json"]).stdout)]
    chance = random.Random(5)
    for _ in range(BLOCK_LINES):
        words = [word for choice in BLOCK_CHOICES for word in chance.choice(choice)]
        method = chance.choice([[], [], *[["--method", name] for name in names]])
        if "--not-private" in words:
            method, words = [], [word for word in words
                                 if word not in ("--delta", "1e-6", "0.1", "--insecure-test-seed",
                                                 "5")]
        yield ["cocluster", "data.csv", *method, *words]


def flat_lines(binary):
    with harness.Folder(binary) as folder:
        names = [method["name"]
                 for method
                 in json.loads(folder.run(["subspace", "--list-methods", "--json"]).stdout)]
    chance = random.Random(4)
    for _ in range(FLAT_LINES):
        words = [word for choice in FLAT_CHOICES for word in chance.choice(choice)]
        method = chance.choice([[], *[["--method", name] for name in names]])
        # it would take ten thousand
        if method == ["--method", "gibbs"] and "--rounds" not in words:
            words += ["--rounds", "20"]
        if "--not-private" in words and chance.random() < 0.7:
            method, words = [], [word for word in words
                                 if word not in ("--delta", "1e-6", "0.1", "--insecure-test-seed",
                                                 "5")]
        yield ["subspace", "data.csv", *method, *words]


def lines(binary):
    with harness.Folder(binary) as folder:
        names = {objective: [method["name"]
                             for method
                             in json.loads(folder.run([objective, "--list-methods",
                                                       "--json"]).stdout)]
                 for objective in ("kmeans", "kmedian")}
    chance, every = random.Random(3), sorted({name for listed in names.values() for name in listed})
    for _ in range(LINES):
        objective = chance.choice(["kmeans", "kmeans", "kmedian"])
        listed = names[objective] if names[objective] and chance.random() < 0.9 else every
        method = chance.choice([[], *[["--method", name] for name in listed]])
        words = [word for choice in CHOICES for word in chance.choice(choice)]
        plan = chance.random() < 0.25
        if plan and "--insecure-test-seed" in words:  # only a run draws noise
            words = words[:words.index("--insecure-test-seed")]
        yield ["plan", objective, "data.csv", *method, *words, "--rows-about", "300"] if plan else \
            [objective, "data.csv", *method, *words]


def work(binary):
    def one(argv):
        wrong = []
        with harness.Folder(binary) as folder:
            folder.write({"data.csv": {"subspace": FLAT_DATA,
                                       "cocluster": BLOCK_DATA}.get(argv[0], DATA)})
            seeded, pure = "--insecure-test-seed" in argv, "--delta" not in argv
            ledger = not seeded and "--not-private" not in argv
            if ledger:
                folder.run(["ledger", "init", "data.csv", "--epsilon", "1000",
                            *([] if pure else ["--delta", "0.1"]), *bad_input.declared_by(argv)])
                ledger = "data.csv.ledger" in folder.listing()
            before = folder.spent("data.csv")["runs"] if ledger else 0
            done = folder.run(argv)
            text = done.stderr.decode(errors="replace")
            spent = folder.spent("data.csv")["runs"] - before if ledger else 0
        if done.returncode not in {0, bad_input.USAGE, bad_input.SPENT, bad_input.LEDGER}:
            wrong.append(f"exit code {done.returncode}")
        if done.returncode != 0 and (spent != 0 or done.stdout):
            wrong.append(f"refused, but {spent} runs were booked and {len(done.stdout)} "
                         "bytes printed")
        if done.returncode == 0 and ledger and spent != (argv[0] != "plan"):
            wrong.append(f"{spent} runs were booked")
        if done.returncode == 0 and "--json" in argv:
            json.loads(done.stdout)
        if any(not line.startswith("tacit " + argv[0] + ": ") for line in text.splitlines()):
            wrong.append("standard error has other lines than sentences")
        if b"nan" in done.stdout.lower() or "nan" in text.split():
            wrong.append("a NaN was printed")
        if wrong:
            wrong.append("said: " + text[:400])
        return "tacit " + " ".join(argv), wrong
    return one
