#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tree keeps its shape: dependencies point one way, every kind of query has its proof page. TAP
output. Usage: check_layers.py SOURCE_ROOT"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
src = root / "src"

# What each folder may include, besides itself. Rows flow to the door, answers to methods, results
# to releases.
MAY = {
    "core": set(),
    "engine": {"core"},
    "json": {"core"},
    "table": {"core", "json"},  # what columns are: public, no rows
    "data": {"core", "engine", "json", "table"},  # json: an owner's declaration is a JSON file
    # solve: for sample and aggregate, see below; synthetic: a plan's rows
    "privacy": {"core", "engine", "data", "solve", "synthetic"},
    "solve": {"core", "engine"},
    "release": {"core", "json", "table"},
    "cluster": {"core", "privacy", "release", "solve", "data", "table"},
    # rows of its own only, see below
    "audit": {"core", "engine", "data", "privacy", "solve", "release", "cluster"},
    # cluster: a plain answer is released as a private one is, see below
    "owner": {"core", "engine", "data", "release", "solve", "cluster", "table"},
    # release: the truth that subspaces were drawn from is a model
    "synthetic": {"core", "data", "release", "solve"},
    # a plan tried out: methods and exact measures, on rows of its own only, see below
    "plan": {"core", "cluster", "owner", "privacy", "release", "synthetic"},
    "report": {"core", "table"},  # knows a release by the public header; table: dates
    "cli": set(),
    "mpi": {"cli"},  # the command on several processes: public header only, as the command
}
# Of the door's files only a quoting run knows made-up rows.
PRIVACY_SYNTHETIC = {"quote.h"}
# The owner's files know of methods how an answer becomes a release and back, and nothing else.
OWNER_CLUSTER = {"cluster/subspace/subspace_run.h", "cluster/cocluster/cocluster_run.h",
                 "cluster/geometry.h"}
# The audit knows of families how a method is run with a probe; of rows it makes its own and reads
# nobody's.
AUDIT_CLUSTER = {"cluster/kmeans/kmeans_run.h", "cluster/subspace/subspace_run.h",
                 "cluster/cocluster/cocluster_run.h"}
# A method may know frames (public maps), never the rows behind them.
CLUSTER_DATA = {"data/lattice/frame.h"}

checks = []


def check(good, what):
    checks.append(good)
    print(f"{'ok' if good else 'not ok'} {len(checks)} - {what}")


wrong = []
for path in sorted(src.rglob("*.[ch]")):
    folder = path.relative_to(src).parts[0]
    for name in re.findall(r'#include\s+"([^"]+)"', path.read_text()):
        # the command's folders name their files from where they are
        beside = (path.parent / name).resolve()
        target = (folder if beside.is_file() and beside.is_relative_to((src / folder).resolve())
                  else name.split("/")[0])
        if target != folder and target not in MAY[folder]:
            wrong.append(f"{path.relative_to(root)} includes {name}")
        elif folder == "cluster" and target == "data" and name not in CLUSTER_DATA:
            wrong.append(f"{path.relative_to(root)} includes {name}")
        elif folder == "privacy" and target == "synthetic" and path.name not in PRIVACY_SYNTHETIC:
            wrong.append(f"{path.relative_to(root)} includes {name}")
        elif folder == "audit" and target == "cluster" and name not in AUDIT_CLUSTER:
            wrong.append(f"{path.relative_to(root)} includes {name}")
        elif folder == "owner" and target == "cluster" and name not in OWNER_CLUSTER:
            wrong.append(f"{path.relative_to(root)} includes {name}")
for line in wrong:
    print("#", line)
check(not wrong, "dependencies point one way")

INSIDE = re.compile(r'#include "privacy/(door_internal|shard|kinds|named|queries/\S+)\.h"')
inside = [p for p in src.rglob("*.[ch]") if INSIDE.search(p.read_text())
          and p.relative_to(src).parts[0] != "privacy"]
check(not inside, "the door's inside stays inside its folder")



def code_of(path):
    """The text of a source file without comments and strings."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', " ", path.read_text(), flags=re.S)


# Methods never reach for the lattice, a reader, persons, counts or the key: what they get is a
# door. A run holds all of them, by whatever name a method calls it.
REACH = re.compile(r"\btac_lattice\w*|\btac_counts\w*|\btac_data_load\b|\breader\s*->|"
                   r"->\s*rows\s*\[|"
                   r"(?:\.|->)\s*(?:lattice|reader|owner|keep|key)\b|\brun\s*(?:\.|->)\s*counts\b")
reach = []
for path in sorted((src / "cluster").rglob("*.[ch]")):
    reach += [f"{path.relative_to(root)} says {word}" for word in REACH.findall(code_of(path))]
for line in reach:
    print("#", line)
check(not reach, "no method touches a row, a person or the key")

# Whatever is random comes from the streams of one file, which tests/test_streams*.c listen to, and
# their keys from the system.
CHANCE = re.compile(r"\b(crypto_stream\w*|crypto_core_\w+|randombytes\w*|getrandom|getentropy|"
                    r"s?rand|s?random|rand_r|random_r|[delmn]rand48|arc4random\w*)"
                    r"\s*\(")
CHANCE_MAY = {"privacy/noise/random.c": {"crypto_stream_chacha20_xor_ic"},
              "core/entropy.c": {"getrandom"},
              # so that libsodium starts without ending the program
              "cli/start_sodium.c": {"getrandom", "randombytes_set_implementation"}}
chance = [f"{p.relative_to(root)} calls {word}" for p in sorted(src.rglob("*.[ch]"))
          for word in CHANCE.findall(code_of(p))
          if word not in CHANCE_MAY.get(str(p.relative_to(src)), set())]
for line in chance:
    print("#", line)
check(not chance, "chance comes from the streams of one file, and their keys from the system")

# The probe sees exact answers: it is set by tests and by the audit, which opens no file and takes
# no caller's data.
probes = {p.relative_to(src).parts[0] for p in src.rglob("*.c") if ".exact = " in p.read_text()}
opens = [p.name for p in (src / "audit").rglob("*.c")
         if re.search(r"tacit_data_open|fopen|\bopen\(", p.read_text())]
check(probes == {"audit"} and not opens,
      "only the audit sets a probe, and it reads no rows but its own")
# What leaves the door is an integer on a public grid. A real number made of rows shows in its low
# bits by which rows it was made, so no query returns one, nor writes one through a pointer or into
# a struct that a pointer leads to.
door = re.sub(r"/\*.*?\*/", "",
              "".join((src / "privacy" / name).read_text() for name in ("query.h", "door.h")),
              flags=re.S)
real = re.compile(r"\b(double|float)\b")
holds_real = {name for body, name in re.findall(r"typedef struct \w+ (\{[^}]*\}) (\w+);", door)
              if real.search(body)}
prototypes = re.findall(r"^([\w ]+[ *]+)(tac_door_\w+|tac_ask)\(([^;{]*)\)[;{]", door, re.M)
out = []
for returned, name, arguments in prototypes:
    if real.search(returned):
        out.append(f"{name} returns a real number")
    for argument in arguments.split(","):
        kind = re.match(r"\s*(?:struct )?(\w+)", argument)
        if ("*" in argument and "const" not in argument and kind
            and (real.search(argument) or kind.group(1) in holds_real)):
            out.append(f"{name} hands out a real number: {argument.strip()}")
for line in out:
    print("#", line)
check(len(prototypes) >= 35 and len(holds_real) >= 2 and not out,
      f"no real number leaves the door ({len(prototypes)} prototypes)")
# A receipt that names no batch would name the first one: a query about all rows would then cost the
# other batches nothing.
made = [(p.name, r) for p in (src / "privacy").rglob("*.c")
        for r in re.findall(r"tac_receipt\s+\w+\s*=\s*(\{.*?\};)", p.read_text(), re.S)]
made += [(p.name, r) for p in (src / "privacy").rglob("*.c")
         for r in re.findall(r"\(tac_receipt\)\s*(\{.*?\})", p.read_text(), re.S)]
for name, receipt in made:
    if ".batch" not in receipt:
        print(f"# {name}: {receipt}")
check(len(made) >= 1 and all(".batch" in receipt for _, receipt in made),
      "every receipt says which batch of rows was asked, or all")

solvers = {p.name for p in (src / "privacy").rglob("*.[ch]") if '#include "solve/' in p.read_text()}
# Parts of sample and aggregate, eigenvectors of draws of subspaces, the paper's start of its Gibbs
# sampler (not private).
check(solvers == {"query_bingham.c", "bingham_matrix.c", "query_gibbs.c", "part_points.c",
                  "part_subspaces.c", "parts_center.c"},
      "plain solvers run behind the door in few files only")

# One way through the door: a receipt is paid for and noise is added in the one function that asks.
STEPS = re.compile(r"\b(tac_door_pay|tac_door_release|tac_batch_charge|tac_charge)\s*\(")
PATH = {"ask.c": {"tac_door_pay", "tac_door_release"},
        "door.c": {"tac_door_pay", "tac_door_release", "tac_batch_charge"},
        "batches.c": {"tac_batch_charge", "tac_charge"}, "accountant.c": {"tac_charge"}}
beside = [f"{p.name} calls {word}" for p in sorted((src / "privacy").rglob("*.c"))
          for word in STEPS.findall(code_of(p)) if word not in PATH.get(p.name, set())]
for line in beside:
    print("#", line)
check(not beside, "a query is paid for and gets its noise in one place")

# Every kind has a proof page, named by the line of kinds.def and by the file that evaluates it.
queries = src / "privacy" / "queries"
lines = re.sub(r"/\*.*?\*/", "", (src / "privacy" / "kinds.def").read_text(), flags=re.S)
kinds = re.findall(r"KIND\((\w+),(.*?)\"(\w+\.proof\.md)\"\)", lines, re.S)
check(len(kinds) >= 20 and len(kinds) == lines.count("KIND("),
      f"every line of kinds.def names a proof page ({len(kinds)} kinds)")
files = {p.name: p.read_text() for p in queries.rglob("query_*.c")}
unproved = []
for name, rest, page in kinds:
    if not list(queries.rglob(page)):
        unproved.append(f"{name}: there is no {page}")
    for function in set(re.findall(r"tac_\w+_(?:check|draw|run)", rest)):
        if not any(re.search(rf"^tacit_status {function}\(", text, re.M) and page in text
                   for text in files.values()):
            unproved.append(f"{name}: {function} is in no file that names {page}")
unproved += [f"{name} names no page of kinds.def" for name, text in files.items()
             if not any(page in text for _, _, page in kinds)]
for line in unproved:
    print("#", line)
check(not unproved, "every kind of query is where its proof page is named")
for page in ("noise/noise", "accounting/accountant", "ledger/ledger"):
    check((src / "privacy" / f"{page}.proof.md").exists(), f"{page} has its proof page")

cited = {(p.name, page) for p in src.rglob("*.[chm]*")
         for page in re.findall(r"\b(\w+\.proof\.md)", p.read_text())}
pages = {p.name for p in src.rglob("*.proof.md")}
check(bool(cited) and all(page in pages for _, page in cited),
      f"every proof page that is cited exists {sorted({c for c in cited if c[1] not in pages})}")

print(f"1..{len(checks)}")
sys.exit(0 if all(checks) else 1)
