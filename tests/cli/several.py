# SPDX-License-Identifier: Apache-2.0
"""Several files as one data set: the same bytes as from one file, one person over all of them, and
one ledger that nobody gets past by naming fewer files, or more."""
import gzip
import json
import os
import random
import struct

SEED = ["--insecure-test-seed", "7", "--json", "--quiet"]
MEANS = ["-k", "3", "--epsilon", "2", "--delta", "1e-6", "--bounds", "a=0:1,b=0:1", *SEED]
PERSONS = ["--unit-column", "who", "--max-rows-per-person", "2"]
BLOCKS = ["--rows", "2", "--cols", "2", "--epsilon", "2", "--delta", "1e-6", *SEED]
PARTS = 3


def said(done):
    return done.stderr.decode(errors="replace")


def rows_of(count=600, seed=1):
    """Two numbers and whose row it is. Rows of one person lie far apart, in every part."""
    dice = random.Random(seed)
    return [(round(dice.choice((.2, .5, .8)) + dice.uniform(-.05, .05), 4), round(dice.random(), 4),
             f"p{dice.randrange(60)}") for _ in range(count)]


def split(rows):
    """Parts of other sizes, one of them empty."""
    return [rows[:50], [], rows[50:57], rows[57:]]


def csv_text(rows, mark=",", order=(0, 1, 2)):
    names = ("a", "b", "who")
    lines = [mark.join(names[i] for i in order)]
    lines += [mark.join(str(row[i]) for i in order) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def npy(rows, kind="<f8", width=2):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }" % (kind, len(rows), width)
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    code = {"<f8": "d", "<i4": "i", "<i8": "q"}[kind]
    body = b"".join(struct.pack(f"<{width}{code}", *row[:width]) for row in rows)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + body


def mtx(rows):
    entries = [f"{i + 1} {j + 1} {row[j]}" for i, row in enumerate(rows) for j in range(2)]
    return ("%%MatrixMarket matrix coordinate real general\n"
            f"{len(rows)} 2 {len(entries)}\n" + "".join(e + "\n" for e in entries)).encode()


def libsvm(rows):
    return "".join(f"{row[2]} 1:{row[0]} 2:{row[1]}\n" for row in rows).encode()


def counts(count=400):
    """Entries of a table: a row's lie in several parts, and some entries come more than once."""
    dice = random.Random(5)
    return [(dice.randrange(80), dice.randrange(6), 1 + dice.randrange(3)) for _ in range(count)]


def triplets(entries, mark=",", order=(0, 1, 2)):
    names = ("row", "col", "count")
    return (mark.join(names[i] for i in order) + "\n" +
            "".join(mark.join(str(e[i]) for i in order) + "\n" for e in entries)).encode()


def compare(folder, command, options, ending, whole, parts, places=False):
    """The whole file against the parts in several orders, and by a pattern. places: rows are
    places, which are numbered in the order of the files."""
    folder.write({f"whole{ending}": whole,
                  **{f"part-{i}{ending}": part for i, part in enumerate(parts)}})
    names = [f"part-{i}{ending}" for i in range(len(parts))]
    want = folder.run([command, f"whole{ending}", *options], check=0).stdout
    wrong = [] if len(want) > 500 else [f"no release: {want!r}"]
    for words in (names, [f"part-*{ending}"], [f"./part-[0-1]{ending}", *names[2:]],
                  *(() if places else (names[::-1], names[1:] + names[:1]))):
        got = folder.run([command, *words, *options], check=0).stdout
        if got != want:
            wrong.append(f"{words}: another release than of the whole file")
    return wrong


def same_csv(folder):
    """CSV, with the columns of a part in another order."""
    rows = rows_of()
    parts = [csv_text(part, order=(0, 1, 2) if i < 3 else (2, 1, 0))
             for i, part in enumerate(split(rows))]
    return compare(folder, "kmeans", MEANS, ".csv", csv_text(rows), parts)


def same_persons(folder):
    """CSV with persons, whose rows lie in all parts."""
    rows = rows_of()
    parts = [csv_text(part, order=(0, 1, 2) if i < 3 else (1, 2, 0))
             for i, part in enumerate(split(rows))]
    return compare(folder, "kmeans", [*MEANS, *PERSONS], ".csv", csv_text(rows), parts)


def same_tsv(folder):
    """TSV, some of it packed."""
    rows = rows_of()
    parts = [csv_text(part, "\t") for part in split(rows)]
    wrong = compare(folder, "kmeans", [*MEANS, *PERSONS], ".tsv", csv_text(rows, "\t"), parts)
    folder.write({"part-3.tsv.gz": gzip.compress(parts[3])})
    os.unlink(folder.name("part-3.tsv"))
    one = folder.run(["kmeans", "whole.tsv", *MEANS, *PERSONS], check=0).stdout
    other = folder.run(["kmeans", "part-*.tsv*", *MEANS, *PERSONS], check=0).stdout
    return wrong if one == other else [*wrong, "a packed part makes another release"]


def same_npy(folder):
    """NPY, with persons in a column of whole numbers."""
    rows = [(a, b, float(who[1:])) for a, b, who in rows_of()]
    options = ["-k", "3", "--epsilon", "2", "--delta", "1e-6", "--bounds", "c1=0:1,c2=0:1", *SEED,
               "--unit-column", "c3", "--max-rows-per-person", "1"]
    return compare(folder, "kmeans", options, ".npy", npy(rows, width=3),
                   [npy(part, width=3) for part in split(rows)])


def same_mtx(folder):
    """Matrix Market: rows follow each other."""
    rows = rows_of()
    options = ["-k", "3", "--epsilon", "2", "--delta", "1e-6", "--bounds", "0:1", *SEED]
    return compare(folder, "kmeans", options, ".mtx", mtx(rows),
                   [mtx(part) for part in split(rows)])


def same_libsvm(folder):
    """LIBSVM; the last column is in one part alone."""
    rows = rows_of()
    options = ["-k", "3", "--epsilon", "2", "--delta", "1e-6", "--bounds", "0:1", *SEED]
    parts = [libsvm(part) for part in split(rows) if part]
    parts[0] = "".join(f"x 1:{row[0]}\n" for row in rows[:50]).encode()
    whole = parts[0] + libsvm(rows[50:])
    return compare(folder, "kmeans", options, ".libsvm", whole, parts)


def same_wide(folder):
    """LIBSVM rows that stay sparse, and blocks that lie in several parts."""
    dice = random.Random(3)
    rows = ["y " + " ".join(f"{j}:{dice.randrange(9) / 8}"
                            for j in sorted(dice.sample(range(1, 2001), 5))) + "\n"
            for _ in range(300)]
    parts = ["".join(rows[:7]), "".join(rows[7:8]), "".join(rows[8:])]
    options = ["-k", "2", "--epsilon", "4", "--delta", "1e-6", "--radius", "2", *SEED,
               "--format", "libsvm"]
    # the last column is there in some row
    parts[2] += "y 2000:1\n"
    return compare(folder, "kmeans", options, ".libsvm", "".join(parts).encode(),
                   [part.encode() for part in parts])


def same_triplets(folder):
    """Triplets: entries of one row, and one entry's counts, lie in several parts."""
    entries = counts()
    parts = [triplets(entries[:150]), triplets(entries[150:160], order=(2, 0, 1)),
             triplets(entries[160:])]
    wrong = []
    for unit in ("row", "entry"):
        wrong += compare(folder, "cocluster", [*BLOCKS, "--unit", unit, "--shape", "80x6"], ".csv",
                         triplets(entries), parts)
    return wrong + compare(folder, "cocluster", [*BLOCKS, "--shape", "x6"], ".csv",
                           triplets([(f"r{r}", c, n) for r, c, n in entries]),
                           [triplets([(f"r{r}", c, n) for r, c, n in part])
                            for part in (entries[:150], entries[150:160], entries[160:])])


def same_places(folder):
    """Rows that a shape declares and no part has are empty, as in one file."""
    dice = random.Random(9)
    rows = [[dice.randrange(4) for _ in range(4)] for _ in range(60)]
    def text(part):
        return "".join("x " + " ".join(f"{j + 1}:{n}" for j, n in enumerate(row) if n) + "\n"
                       for row in part).encode()
    options = [*BLOCKS, "--unit", "entry", "--shape", "70x4"]
    return compare(folder, "cocluster", options, ".libsvm", text(rows),
                   [text(rows[:20]), text(rows[20:])], places=True)


def owner_order(folder):
    """predict keeps the order of the words, and ids are those of all files."""
    rows = rows_of(40)
    folder.write({"whole.csv": csv_text(rows), "x.csv": csv_text(rows[25:]),
                  "y.csv": csv_text(rows[:25])})
    folder.run(["kmeans", "x.csv", "y.csv", *MEANS, "-o", "m.json"], check=0)
    want = folder.run(["predict", "m.json", "whole.csv", "--id-column", "who"], check=0).stdout
    got = folder.run(["predict", "m.json", "y.csv", "x.csv", "--id-column", "who"], check=0).stdout
    wrong = [] if got == want else ["labels come in another order"]
    one = folder.run(["evaluate", "m.json", "whole.csv", "--label-column", "who"], check=0).stdout
    both = folder.run(["evaluate", "m.json", "?.csv", "--label-column", "who"], check=0).stdout
    return wrong if one.split() == both.split() else [*wrong, "evaluate differs", both.decode()]


def make(folder):
    """Three files with one ledger."""
    rows = rows_of()
    folder.write({f"part-{i}.csv": csv_text(rows[200 * i:200 * i + 200]) for i in range(PARTS)})
    folder.write({"extra.csv": csv_text(rows[:20])})
    folder.run(["ledger", "init", "part-*.csv", "--epsilon", "8", "--delta", "1e-4", *PERSONS,
                "--bounds", "a=0:1,b=0:1"], check=0)


RUN = ["-k", "2", "--epsilon", "0.5", "--delta", "1e-6"]
ALL = ["part-0.csv", "part-1.csv", "part-2.csv"]


def one_ledger(folder):
    """The ledger lies beside the first file; every order, links and other folders find it."""
    make(folder)
    folder.write({"elsewhere/x": b""})
    os.symlink("../part-1.csv", folder.name("elsewhere/link.csv"))
    wrong = []
    if os.path.islink(folder.name("part-0.csv.ledger")) or \
            os.readlink(folder.name("part-2.csv.ledger")) != "part-0.csv.ledger":
        wrong.append("the ledger does not lie where it should")
    runs = 0
    for words in (ALL, ALL[::-1], ["part-*.csv"], ["part-2.csv", "elsewhere/link.csv",
                                                    folder.name("part-0.csv")]):
        folder.run(["kmeans", *words, *RUN], check=0)
        runs += 1
        for name in (*ALL, "part-*.csv"):
            if folder.spent(name)["runs"] != runs:
                wrong.append(f"{words}: not counted in the ledger of {name}")
    # the folder may move as a whole
    os.rename(folder.name("elsewhere"), folder.name("gone"))
    os.mkdir(folder.name("moved"))
    for name in os.listdir(folder.path):
        if name.startswith("part-"):
            os.rename(folder.name(name), folder.name(f"moved/{name}"))
    folder.run(["kmeans", "moved/part-*.csv", *RUN], check=0)
    if folder.spent("moved/part-2.csv")["runs"] != runs + 1:
        wrong.append("after a move the run is not counted")
    return wrong


def escapes(folder):
    """Fewer files, more files, a file twice, a ledger of one's own: refused, uncharged."""
    make(folder)
    folder.write({"mine/x": b""})
    os.symlink("../part-1.csv", folder.name("mine/part-1.csv"))
    os.symlink("part-0.csv", folder.name("again.csv"))
    os.link(folder.name("part-0.csv"), folder.name("hard.csv"))
    with open(folder.name("part-1.csv"), "rb") as file:
        folder.write({"copy.csv": file.read()})
    wrong = []
    for words in (["part-0.csv"], ["part-1.csv"], ["mine/part-1.csv"], ["part-0.csv", "part-2.csv"],
                  ["part-[01].csv"], [*ALL, "extra.csv"], ["extra.csv", *ALL], [*ALL, "copy.csv"],
                  [*ALL, "part-1.csv"], [*ALL, "again.csv"], [*ALL, "hard.csv"], ["again.csv"],
                  ["part-0.csv", "copy.csv", "part-2.csv"], [*ALL, "-"], ["-", *ALL],
                  ["part-1.csv", "--ledger", "own.ledger"], ["mine/*.csv"]):
        # what the ledger declares is said here too: nothing but the ledger is in the way
        done = folder.run(["kmeans", *words, *RUN, *PERSONS, "--bounds", "a=0:1,b=0:1", "-o",
                           "out.json"])
        twice = "are one file" in said(done) or "-" in words
        codes = (64, 76, 77) if twice else (76, 77)
        if done.returncode not in codes or os.path.exists(folder.name("out.json")):
            wrong.append(f"{words}: exit code {done.returncode}: {said(done)}")
        if folder.spent("part-0.csv")["spent"] != 0:
            wrong.append(f"{words}: something was spent")
    for words in (["part-1.csv"], ["extra.csv", "part-2.csv"], ["mine/part-1.csv"]):
        done = folder.run(["ledger", "init", *words, "--epsilon", "9", "--bounds", "0:1"])
        if done.returncode != 73:
            wrong.append(f"a second ledger: {words}: exit code {done.returncode}: {said(done)}")
        done = folder.run(["kmeans", *words, "-k", "2", "--not-private"])
        if done.returncode == 0:
            wrong.append(f"{words}: exact figures without --as-owner")
    exact = folder.run(["predict", "m.json", "part-1.csv"])
    if exact.returncode == 0:
        wrong.append("predict without --as-owner")
    folder.write({"lone.csv": csv_text(rows_of(30))})
    folder.run(["ledger", "init", "lone.csv", "--epsilon", "8", "--delta", "1e-4", *PERSONS,
                "--bounds", "a=0:1,b=0:1"], check=0)
    for words in (["lone.csv", "extra.csv"], ["lone.csv", *ALL],
                  ["extra.csv", "copy.csv", "--ledger", "lone.csv.ledger"],
                  ["extra.csv", "copy.csv", "--ledger", "part-0.csv.ledger"],
                  ["extra.csv", "--ledger", "part-0.csv.ledger"]):
        done = folder.run(["kmeans", *words, *RUN])
        if done.returncode not in (76, 77):
            wrong.append(f"{words}: exit code {done.returncode}: {said(done)}")
    return wrong


def grown(folder):
    """A file more: the owner carries the ledger on, where it lies."""
    make(folder)
    folder.run(["kmeans", "part-*.csv", *RUN], check=0)
    folder.write({"part-.csv": csv_text(rows_of(50, 9))})
    refused = folder.run(["kmeans", "part-*.csv", *RUN])
    wrong = [] if refused.returncode == 76 and "has none" in said(refused) else [said(refused)]
    again = ["ledger", "init", "part-*.csv", "--epsilon", "9", "--delta", "1e-4", *PERSONS,
             "--bounds", "a=0:1,b=0:1", "--carry", "part-1.csv.ledger", "--as-owner"]
    folder.run([*again[:4], "0.001", *again[5:]], check=75)
    if os.path.lexists(folder.name("part-.csv.ledger")):
        wrong.append("a refused ledger leaves a link")
    folder.run(again, check=0)
    folder.run(["kmeans", "part-*.csv", *RUN], check=0)
    if folder.spent("part-.csv")["spent"] <= 0 or os.path.islink(folder.name("part-0.csv.ledger")):
        wrong.append("the ledger did not stay where it was")
    if folder.run(["kmeans", *ALL, *RUN]).returncode != 77:
        wrong.append("the files of before are still a data set")
    return wrong


def crashed(folder):
    """Links without their ledger, as a crash may leave them: nothing runs."""
    make(folder)
    os.rename(folder.name("part-0.csv.ledger"), folder.name("kept"))
    wrong = []
    for words in (["part-1.csv"], ["part-1.csv", "part-2.csv"], ["part-*.csv"]):
        done = folder.run(["kmeans", *words, *RUN, "--bounds", "a=0:1,b=0:1"])
        if done.returncode != 76:
            wrong.append(f"{words}: exit code {done.returncode}: {said(done)}")
    return wrong


def schemas(folder):
    """A schema beside any of the files counts, and two are one too many."""
    rows = rows_of(60)
    folder.write({"part-0.csv": csv_text(rows[:30], order=(1, 0, 2)),
                  "part-1.csv": csv_text(rows[30:])})
    shown = json.loads(folder.run(["declare", "part-*.csv"], check=0).stdout)
    wrong = [] if [f["name"] for f in shown["fields"]] == ["b", "a", "who"] else [str(shown)]
    for field in shown["fields"]:
        if field["name"] == "who":
            field["tacit"] = {"role": "ignore"}
        else:
            field["constraints"] = {"minimum": 0, "maximum": 1}
    folder.write({"part-1.csv.schema.json": json.dumps(shown).encode()})
    done = folder.run(["kmeans", "part-*", *RUN], check=0)
    if "part-1.csv.schema.json says what the table is" not in said(done):
        wrong.append(said(done))
    folder.write({"part-0.csv.schema.json": json.dumps(shown).encode()})
    done = folder.run(["kmeans", "part-*", *RUN])
    if done.returncode != 64 or "two schemas" not in said(done):
        wrong.append(said(done))
    done = folder.run(["kmeans", "part-*", *RUN, "--schema", "part-0.csv.schema.json"], check=0)
    return wrong


REFUSED = (
    ({"a.csv": b"x,y\n1,2\n", "b.csv": b"x,z\n1,2\n"}, 65,
     "b.csv: has no column 'y', which a.csv has"),
    ({"a.csv": b"x,y\n1,2\n", "b.csv": b"x,y,z\n1,2,3\n"}, 65,
     "b.csv: has a column 'z', which a.csv has not"),
    ({"a.csv": b"x,y\n1,2\n", "b.tsv": b"x\ty\n1\t2\n"}, 65, "b.tsv: is tsv, and a.csv is csv"),
    ({"a.npy": npy([(1., 2.)]), "b.npy": npy([(1., 2., 3.)], width=3)}, 65,
     "b.npy: has 3 columns, and a.npy has 2"),
    ({"a.npy": npy([(1, 2)], "<i4"), "b.npy": npy([(1, 2)], "<i8")}, 65,
     "b.npy: its elements are of another type than those of a.npy"),
    ({"a.mtx": mtx([(1, 2)]), "b.mtx": mtx([(1, 2)]).replace(b"1 2 2", b"1 3 2")}, 65,
     "b.mtx: has 3 columns, and a.mtx has 2"),
    ({"a.csv": b"x,y\n1,2\n", "b.csv": b"x,y\n1,2\n3,tall\n"}, 65, "b.csv: line 3, column 'y'"),
    ({"a.csv": b"x,y\n1,2\n", "b.csv": b""}, 65, "b.csv: the file is empty"),
)


def refusals(folder):
    """Files that are no data set, each with the name of the file."""
    wrong = []
    for i, (files, code, sentence) in enumerate(REFUSED):
        folder.write({f"{i}/{name}": text for name, text in files.items()})
        done = folder.run(["kmeans", f"{i}/*", "-k", "1", "--epsilon", "1", "--bounds", "0:9"])
        if done.returncode != code or sentence not in said(done).replace(f"{i}/", ""):
            wrong.append(f"exit code {done.returncode}: {said(done)}")
    folder.write({"[x].csv": b"x,y\n" + b"1,2\n" * 9})
    for words, code, sentence in ((["none-*.csv"], 66, "no data file is called as the pattern"),
                                  (["0/a.csv", "none.csv"], 66, "none.csv: cannot be opened"),
                                  (["[x].csv"], 0, "")):
        done = folder.run(["kmeans", *words, "-k", "1", "--epsilon", "1", "--bounds", "0:9"])
        if done.returncode != code or sentence not in said(done):
            wrong.append(f"{words}: exit code {done.returncode}: {said(done)}")
    os.symlink("0/a.csv", folder.name("link.csv"))
    os.link(folder.name("0/a.csv"), folder.name("hard.csv"))
    for again in ("0/a.csv", "0/../0/a.csv", "link.csv", "hard.csv"):
        done = folder.run(["kmeans", "0/a.csv", "[x].csv", again, "-k", "1", "--epsilon", "1",
                           "--bounds", "0:9"])
        if done.returncode != 64 or "are one file" not in said(done):
            wrong.append(f"twice, as {again}: exit code {done.returncode}: {said(done)}")
    done = folder.run(["kmeans", "0/a.csv", "[x].csv", "-k", "1", "--epsilon", "1", "--bounds",
                       "0:9", "-o", "[x].csv"])
    if done.returncode != 64 or "is the input as well" not in said(done):
        wrong.append(said(done))
    return wrong


def numbers(folder):
    """A number of a column, where files have their columns in different orders: refused."""
    wrong = []
    rows = [f"{i % 9},{i % 4},{i % 7}\n" for i in range(60)]
    folder.write({"n/a.csv": ("x,y,who\n" + "".join(rows)).encode(),
                  "n/b.csv": ("x,who,y\n" + "".join(rows)).encode(),
                  "n/c.csv": ("x,who,y\n" + "".join(rows)).encode(),
                  "n/d.csv": ("row,col,count,who\n" + "".join(f"{i},{i % 3},1,p{i}\n"
                                                            for i in range(9))).encode(),
                  "n/e.csv": ("who,row,col,count\n" + "".join(f"q{i},{i + 9},{i % 3},1\n"
                                                            for i in range(9))).encode()})
    persons = ["--max-rows-per-person", "1", "-k", "1", "--epsilon", "1", "--bounds", "0:9"]
    blocks = ["--rows", "1", "--cols", "1", "--epsilon", "1", "--format", "triplets"]
    for command, code in ((["kmeans", "n/b.csv", "n/a.csv", "--unit-column", "2", *persons], 64),
                          (["kmeans", "n/b.csv", "n/a.csv", "--unit-column", "who", *persons], 0),
                          (["kmeans", "n/b.csv", "n/c.csv", "--unit-column", "2", *persons], 0),
                          (["kmeans", "n/a.csv", "n/b.csv", "--columns", "1,2", *persons[2:]], 64),
                          (["cocluster", "n/d.csv", "n/e.csv", "--unit-column", "4", *blocks], 64),
                          (["cocluster", "n/d.csv", "n/e.csv", "--unit-column", "who", *blocks],
                           0)):
        done = folder.run(command)
        if done.returncode != code or (code == 64 and "in different orders" not in said(done)):
            wrong.append(f"{command}: exit code {done.returncode}: {said(done)}")
    return wrong


def many(folder):
    """More files than a program may have open by default."""
    rows = rows_of(1500)
    folder.write({f"m/{i}.csv": csv_text([row]) for i, row in enumerate(rows)})
    folder.write({"whole.csv": csv_text(rows)})
    one = folder.run(["kmeans", "whole.csv", *MEANS, *PERSONS], check=0).stdout
    other = folder.run(["kmeans", "m/*.csv", *MEANS, *PERSONS], check=0).stdout
    return [] if one == other else ["1500 files give another release"]


def spelled_out(folder):
    """Forty names, as a shell writes a pattern out, by every command that takes several files."""
    rows = rows_of(400)
    names = [f"part-{i:02}.csv" for i in range(40)]
    folder.write({"whole.csv": csv_text(rows),
                  **{name: csv_text(rows[10 * i:10 * i + 10]) for i, name in enumerate(names)}})
    wrong = []
    for before, after in ((["kmeans"], MEANS), (["declare"], []),
                          (["predict", "m.json"], ["--id-column", "who"]),
                          (["evaluate", "m.json"], ["--label-column", "who"])):
        one = folder.run([*before, "whole.csv", *after], check=0).stdout
        other = folder.run([*before, *names, *after], check=0).stdout
        if before == ["kmeans"]:
            folder.write({"m.json": one})
        if one.replace(b"whole.csv", b"*") != other.replace(b"part-00.csv and 39 more", b"*"):
            wrong.append(f"{before}: {other!r}, not {one!r}")
    for command in ("predict", "evaluate"):
        done = folder.run([command, "m.json", *names, "-", "-"])
        if done.returncode != 64 or "not several" not in said(done):
            wrong.append(f"{command} of standard input twice: {done.returncode}: {said(done)}")
    folder.run(["plan", "kmeans", *names, *MEANS[:-len(SEED)], "--rows-about", "400"], check=0)
    folder.run(["ledger", "init", *names, "--epsilon", "8", *MEANS[6:8], *PERSONS], check=0)
    if os.readlink(folder.name(f"{names[-1]}.ledger")) != f"{names[0]}.ledger":
        wrong.append("the last file has no link to the ledger")
    return wrong


CASES = (same_csv, same_persons, same_tsv, same_npy, same_mtx, same_libsvm, same_wide,
         same_triplets, same_places, owner_order, one_ledger, escapes, grown, crashed, schemas,
         refusals, numbers, many, spelled_out)
