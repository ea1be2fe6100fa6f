# SPDX-License-Identifier: Apache-2.0
"""--converted: rows of a file whose format others read, as CSV without a name. The ledger and the
schema are those of the file that was named."""
import contextlib
import os

import golden
import harness

PARQUET = b"PAR1\x15\0\x15\xff"
BUDGET = ["--epsilon", "1", "--delta", "1e-6"]


@contextlib.contextmanager
def nameless(content):
    """The content in a file without a name."""
    file = os.memfd_create("rows")
    try:
        os.write(file, content)
        os.lseek(file, 0, os.SEEK_SET)
        yield file
    finally:
        os.close(file)


def run(folder, argv, content, of=None, **more):
    """of: the file that the content was read from; without it, the one among the words."""
    word = next((word for word in argv if word.endswith(".parquet")), None)
    path = folder.name(of or word or "people.parquet")
    if not os.path.exists(path):
        path = "/dev/null"
    with nameless(content) as file, open(path, "rb") as source:
        kept = [file, source.fileno()]
        return folder.run([*argv, "--converted", "{},{}".format(*kept)], kept=kept, **more)


def people(folder):
    folder.run(golden.MAKE, check=0)
    folder.write({"people.parquet": PARQUET})
    with open(folder.name("people.csv"), "rb") as file:
        return file.read()


def same(folder):
    """Every command gives what it gives for the CSV file, and calls it by the name that was
    typed."""
    rows, wrong = people(folder), []
    for argv in (golden.SEEDED, ["declare", "people.csv"],
                 ["plan", "kmeans", "people.csv", "-k", "2", *BUDGET, "--bounds", "0:1",
                  "--rows-about", "2000"]):
        renamed = [word.replace("people.csv", "people.parquet") for word in argv]
        plain = folder.run(argv, check=0).stdout
        if run(folder, renamed, rows, check=0).stdout != plain:
            wrong.append(f"{argv[0]}: converted rows give something else")
    folder.run([*golden.SEEDED, "-q", "-o", "model.json"], check=0)
    for command in ("predict", "evaluate"):
        argv = [command, "model.json"]
        if run(folder, [*argv, "people.parquet"], rows, check=0).stdout != \
                folder.run([*argv, "people.csv"], check=0).stdout:
            wrong.append(f"{command}: converted rows give something else")
    said = run(folder, ["kmeans", "people.parquet", "-k", "2", *BUDGET, "--bounds", "zz=0:1"],
               rows, check=64).stderr.decode()
    said += run(folder, ["kmeans", "people.parquet", "-k", "2", *BUDGET, "--bounds", "0:1"],
                b"x1,x2\n0.5,what\n", check=65).stderr.decode()
    if "'zz'" not in said or "people.parquet" not in said:
        wrong.append(said)
    return wrong


def blocks(folder):
    """A list of entries is known by its header, as in a file that ends in .csv."""
    rows = b"row,col,count\n" + b"".join(b"%d,%d,1\n" % (i % 400, (i * i + i % 2) % 20)
                                         for i in range(4000))
    folder.write({"baskets.csv": rows, "baskets.parquet": PARQUET})
    argv = ["cocluster", "baskets.csv", "--rows", "2", "--cols", "2", *BUDGET, "--shape", "x20",
            "--insecure-test-seed", "1"]
    plain = folder.run(argv, check=0).stdout
    argv[1] = "baskets.parquet"
    return [] if run(folder, argv, rows, check=0).stdout == plain else ["other blocks"]


def ledger(folder):
    """The ledger beside the named file pays, and binds the header."""
    rows, wrong = people(folder), []
    run(folder, ["ledger", "init", "people.parquet", "--epsilon", "2", "--delta", "1e-5",
                 "--bounds", "0:1"], rows, check=0)
    asked = ["kmeans", "people.parquet", "-k", "2", *BUDGET]
    run(folder, asked, rows, check=0)
    spent = folder.spent("people.parquet.ledger")
    if spent["runs"] != 1 or spent["dataset"] != "people.parquet":
        wrong.append(f"the ledger says {spent}")
    run(folder, asked, rows.replace(b"x1", b"x9", 1), check=77)
    os.symlink(folder.name("people.parquet"), folder.name("link.parquet"))
    run(folder, ["kmeans", "link.parquet", *asked[2:]], rows, check=0)
    if folder.spent("people.parquet.ledger")["runs"] != 2:
        wrong.append("a link leads past the ledger")
    return wrong


def named(folder):
    """Rows of a file with a name, which may have a ledger, do not come in by the side door."""
    rows, wrong = people(folder), []
    folder.run(["ledger", "init", "people.csv", "--epsilon", "2", "--bounds", "0:1"], check=0)
    asked = ["kmeans", "people.parquet", "-k", "2", *BUDGET, "--bounds", "0:1"]
    with open(folder.name("people.csv"), "rb") as file:
        done = folder.run([*asked, "--converted", f"{file.fileno()},{file.fileno()}"],
                          kept=[file.fileno()])
    if done.returncode != 64 or b"without a name" not in done.stderr or done.stdout:
        wrong.append(done.stderr.decode())
    reading, writing = os.pipe()
    folder.run([*asked, "--converted", f"{reading},{reading}"], kept=[reading], check=64)
    os.close(reading)
    os.close(writing)
    for words in ("900", "900,901", "3,", "3,4,5", "1,2", "-3,4", "3,4x", "x"):
        folder.run([*asked, "--converted", words], check=64)
    run(folder, ["kmeans", "-", *asked[2:]], rows, check=64)
    run(folder, ["kmeans", "none.parquet", *asked[2:]], rows, check=66)
    run(folder, ["ledger", "show", "people.csv"], rows, check=64)
    return wrong


def exchanged(folder):
    """Rows of one file do not pass for those of another, to which the name leads by now: neither
    with its ledger nor without."""
    rows, wrong = people(folder), []
    folder.write({"mine.parquet": PARQUET})
    folder.run(["ledger", "init", "people.csv", "--epsilon", "2", "--bounds", "0:1"], check=0)
    os.rename(folder.name("people.csv.ledger"), folder.name("people.parquet.ledger"))
    asked = ["-k", "2", *BUDGET, "--bounds", "0:1"]
    for named, read in (("mine.parquet", "people.parquet"), ("people.parquet", "mine.parquet")):
        done = run(folder, ["kmeans", named, *asked], rows, of=read)
        if done.returncode != 76 or done.stdout or b"moved or replaced" not in done.stderr:
            wrong.append(f"{named}, read from {read}: {done.returncode}: {done.stderr.decode()}")
    if folder.spent("people.parquet.ledger")["runs"] != 0:
        wrong.append("the ledger counts a run")
    return wrong


CASES = [same, blocks, ledger, named, exchanged]


def work(binary):
    def one(task):
        with harness.Folder(binary) as folder:
            return f"converted: {task.__name__}", task(folder)
    return one
