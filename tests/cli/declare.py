# SPDX-License-Identifier: Apache-2.0
"""What an owner declares holds for every later run: attacks of an analyst who has the command line
and nothing else."""
import json
import os
import tempfile
import threading

import harness

GOOD = b"who,age,stay\n" + b"".join(b"p%d,%d,%d\n" % (i // 2, 20 + i % 60, i % 30)
                                    for i in range(200))
DECLARED = ["--unit-column", "who", "--max-rows-per-person", "2", "--bounds", "age=0:120,stay=0:60"]
RUN = ["kmeans", "data.csv", "-k", "2", "--epsilon", "0.5"]
LIST = b"row,col,count\n" + b"".join(b"%d,%d,%d\n" % (i // 3, i % 3, 1 + i % 4) for i in range(90))


def said(done):
    return done.stderr.decode(errors="replace")


def fill(folder, name):
    """The template, filled in as a person would."""
    with open(folder.name(name), encoding="utf-8") as file:
        schema = json.load(file)
    for field in schema["fields"]:
        if field["name"] == "who":
            field["tacit"]["role"] = "unit"
        else:
            field["constraints"] = {"minimum": 0, "maximum": 120}
    schema["tacit"]["maxRowsPerPerson"] = 2
    with open(folder.name(name), "w", encoding="utf-8") as file:
        json.dump(schema, file)


def walk(folder):
    """declare, fill in, bind, run."""
    folder.write({"data.csv": GOOD})
    folder.run(["declare", "data.csv", "-o", "data.csv.schema.json"], check=0)
    folder.run(["declare", "data.csv", "-o", "data.csv.schema.json"], check=73)
    refused = folder.run(["ledger", "init", "data.csv", "--epsilon", "4"], check=65)
    fill(folder, "data.csv.schema.json")
    folder.run(["ledger", "init", "data.csv", "--epsilon", "4"], check=0)
    folder.run([*RUN, "-o", "m.json"], check=0)
    card = json.load(open(folder.name("m.json"), encoding="utf-8"))["privacy"]
    shown = json.loads(folder.run(["ledger", "schema", "data.csv"], check=0).stdout)
    wrong = ([] if "fill in minimum and maximum of column 'who'" in said(refused)
             else [said(refused)])
    if "person" not in json.dumps(card):
        wrong.append("the release does not protect persons")
    if [field["tacit"]["column"]
        for field in shown["fields"]] != [1, 2, 3] or len(shown["tacit"]["header"]) != 64:
        wrong.append(f"the ledger's schema is not bound: {shown}")
    return wrong


def beside(folder):
    """A schema without a ledger is found by itself, and contradicted by no option."""
    folder.write({"data.csv": GOOD})
    folder.run(["declare", "data.csv", "-o", "data.csv.schema.json"], check=0)
    fill(folder, "data.csv.schema.json")
    done, quiet = folder.run(RUN, check=0), folder.run([*RUN, "--quiet"], check=0)
    other = folder.run([*RUN, "--max-rows-per-person", "3"])
    wrong = ([] if "data.csv.schema.json says what the table is" in said(done)
             and "schema" not in said(quiet) else [said(done)])
    if other.returncode != 77 or "2 rows per person" not in said(other):
        wrong.append(f"exit code {other.returncode}: {said(other)}")
    return wrong


def make(folder, content=GOOD, options=DECLARED, name="data.csv", epsilon="4"):
    folder.write({name: content})
    folder.run(["ledger", "init", name, "--epsilon", epsilon, *options], check=0)


def contradictions(folder):
    """Options that say otherwise: refused with exit code 77, uncharged and without a word on
    standard output."""
    make(folder)
    folder.write({"words.txt": b"a\nb\nc\n",
                  "other.json": b'{"fields": [{"name": "who", "tacit": {"role": "unit"}}, {"name": '
                  b'"age", "type": "number", '
                  b'"constraints": {"minimum": 0, "maximum": 1}}, {"name": "stay", "type": '
                  b'"number", "constraints": {"minimum": 0, "maximum": 60}}], '
                  b'"tacit": {"maxRowsPerPerson": 2}}'})
    wrong, before = [], folder.spent("data.csv")
    for option, says in [(["--unit-column", "stay"], "'who'"),
                         (["--max-rows-per-person", "5"], "2 rows"),
                         (["--neighbors", "replace"], "add-remove"),
                         (["--bounds", "age=0:1,stay=0:60"], "0:120"), (["--radius", "3"], "range"),
                         (["--format", "tsv"], "csv"), (["--missing", "reject-file"], "drop-row"),
                         (["--columns", "who,age"], "who"), (["--schema", "other.json"], "'age'")]:
        done = folder.run([*RUN, *option])
        if (done.returncode not in (77, 64 if option[0] == "--columns" else 77) or done.stdout
            or says not in said(done)):
            wrong.append(f"{option}: exit code {done.returncode}: {said(done)}")
    if folder.spent("data.csv") != before:
        wrong.append("something was booked")
    done = folder.run([*RUN, *DECLARED, "--columns", "age,stay", "--neighbors", "add-remove",
                       "--format", "csv"])
    return wrong + ([] if done.returncode == 0 else [f"options that agree: {said(done)}"])


def owner(folder):
    """Exact commands on a data set with a ledger: for the owner, and seen."""
    make(folder)
    folder.run([*RUN, "-q", "-o", "m.json"], check=0)
    folder.write({"flat.csv": b"x,y\n" + b"0.1,0.2\n" * 50})
    folder.run(["ledger", "init", "flat.csv", "--epsilon", "1", "--radius", "1"], check=0)
    lines = [(["predict", "m.json", "data.csv"], "data.csv"),
             (["evaluate", "m.json", "data.csv"], "data.csv"),
             (["subspace", "flat.csv", "-k", "1", "-q", "1", "--not-private"], "flat.csv")]
    wrong = []
    for argv, data in lines:
        count = len(json.loads(folder.run(["ledger", "history", data, "--json"], check=0).stdout))
        done = folder.run(argv)
        if done.returncode != 77 or done.stdout or "--as-owner" not in said(done):
            wrong.append(f"{argv[0]}: exit code {done.returncode}: {said(done)}")
        spent = folder.spent(data)["spent"]
        folder.run([*argv, "--as-owner"], check=0)
        after = json.loads(folder.run(["ledger", "history", data, "--json"], check=0).stdout)
        if (len(after) != count + 1 or after[-1]["kind"] != "owner"
            or folder.spent(data)["spent"] != spent):
            wrong.append(f"{argv[0]}: the history does not show the owner once, uncharged: "
                         f"{after[count:]}")
    return wrong


def first(folder):
    """The owner's note is there before a row is read: a file whose rows cannot be read is noted
    too."""
    make(folder)
    folder.run([*RUN, "-q", "-o", "m.json"], check=0)
    with open(folder.name("data.csv"), "ab") as file:
        file.write(b"p1,2\n")
    done = folder.run(["predict", "m.json", "data.csv", "--as-owner"], check=65)
    history = json.loads(folder.run(["ledger", "history", "data.csv", "--json"], check=0).stdout)
    wrong = [] if history[-1]["kind"] == "owner" else ["the look is not noted"]
    run = folder.run([*RUN, "--as-owner"], check=65)
    history = json.loads(folder.run(["ledger", "history", "data.csv", "--json"], check=0).stdout)
    if ([entry["kind"] for entry in history[-2:]] != ["reserve", "owner"]
        or "line 202" not in said(run)):
        wrong.append("a run as owner that fails is not noted")
    return wrong + ([] if "line 202" in said(done)
                    else [f"the owner is not told where: {said(done)}"])


def unpaid(folder):
    """One row's value never stops a run for nothing: missing, or spent and without a word about
    where."""
    wrong = []
    for number, (row, code) in enumerate([(b"p1,oops,3\n", 0), (b"p1,1e999,3\n", 0),
                                          (b"p1,2\n", 65), (b'p1,"2,3\n', 65), (b"p1,2,3,4\n", 65),
                                          (b"p1,\0,3\n", 65)]):
        name = f"data{number}.csv"
        make(folder, GOOD + row, name=name)
        before = folder.spent(name)["spent"]
        done = folder.run(["kmeans", name, *RUN[2:]])
        if (done.returncode != code or "line" in said(done) or "'age'" in said(done)
            or folder.spent(name)["spent"] <= before):
            wrong.append(f"{row}: exit code {done.returncode}, spent {before} -> "
                         f"{folder.spent(name)['spent']}: {said(done)}")
    return wrong


def words(folder):
    """A word that looks like a number is an unknown word, however large, with any vocabulary."""
    table = (b"row,col,count\n" +
             b"".join(b"%d,%s,1\n" % (i // 3, [b"bread", b"milk", b"wine"][i % 3])
                      for i in range(90)))
    wrong = []
    for size in (3, 2000):
        names = b"".join(b"w%d\n" % i for i in range(size - 3)) + b"bread\nmilk\nwine\n"
        for row in (b"", b"77,1984,1\n", b"77,1,1\n", b"77,99999999999,1\n"):
            folder.write({"t.csv": table + row, "words.txt": names})
            done = folder.run(["cocluster", "t.csv", "--rows", "2", "--cols", "2", "--epsilon", "1",
                               "--vocabulary", "words.txt"])
            if done.returncode != 0:
                wrong.append(f"{size} words, {row}: exit code {done.returncode}: {said(done)}")
    return wrong


def cut(folder):
    """A vocabulary is the declared one word by word: the same letters, cut elsewhere, are another,
    and so are fewer columns."""
    table = b"row,col,count\n" + b"".join(b"%d,%s,1\n" % (i // 2, [b"ab", b"c"][i % 2])
                                          for i in range(60))
    folder.write({"t.csv": table, "words.txt": b"ab\nc\n", "cut.txt": b"a\nbc\n", "n.csv": LIST})
    folder.run(["ledger", "init", "t.csv", "--epsilon", "9", "--vocabulary", "words.txt"], check=0)
    folder.run(["ledger", "init", "n.csv", "--epsilon", "9", "--shape", "x3"], check=0)
    line = ["--rows", "1", "--cols", "1", "--epsilon", "1", "-q"]
    folder.run(["cocluster", "t.csv", *line, "--vocabulary", "words.txt"], check=0)
    wrong = []
    for argv in (["t.csv", *line, "--vocabulary", "cut.txt"], ["n.csv", *line, "--shape", "x2"],
                 ["n.csv", *line, "--shape", "x4"]):
        done = folder.run(["cocluster", *argv])
        if done.returncode != 77:
            wrong.append(f"{argv}: exit code {done.returncode}: {said(done)}")
    return wrong


def entries(folder):
    """The lines of a list of entries are nobody's to count: neither with a ledger nor without."""
    folder.write({"data.csv": LIST})
    line = ["cocluster", "data.csv", "--format", "csv", "--columns", "count", "--unit", "entry",
            "--rows", "1", "--cols", "1", "--epsilon", "0.01"]
    free = folder.run(line)
    make(folder, LIST, ["--unit", "entry", "--shape", "30x3"])
    bound = folder.run(line)
    wrong = ([] if free.returncode == 64 and "list of entries" in said(free)
             else [f"without a ledger: exit code {free.returncode}: {said(free)}"])
    return wrong + ([] if bound.returncode == 77 and folder.spent("data.csv")["runs"] == 0
                    else [f"with one: exit code {bound.returncode}: {said(bound)}"])


def renamed(folder):
    """A vocabulary that calls another column by the persons' name."""
    rows = b"".join(b"0 1:%d 2:%d 3:0.5\n" % (1 + i % 5, i + 1) for i in range(50))
    make(folder, rows, ["--shape", "x3", "--unit-column", "c1", "--max-rows-per-person", "1",
                        "--bounds", "0:100"], "data.svm")
    folder.write({"words.txt": b"owner\nc1\nc3\n"})
    line = ["cocluster", "data.svm", "--rows", "1", "--cols", "1", "--epsilon", "0.5",
            "--unit-column", "c1", "--max-rows-per-person", "1"]
    done = folder.run([*line, "--vocabulary", "words.txt"])
    wrong = ([] if done.returncode == 77 and "vocabulary" in said(done)
             else [f"exit code {done.returncode}: {said(done)}"])
    return wrong + ([] if folder.spent("data.svm")["runs"] == 0 else ["it was run"])


def plans(folder):
    """A plan of a file without a header takes the declared shape: its rows are not read."""
    make(folder, b"0 1:1 7:2\nthis is no row\n", ["--shape", "x9", "--bounds", "0:1"], "data.svm")
    done = folder.run(["plan", "kmeans", "data.svm", "-k", "2", "--epsilon", "1", "--rows-about",
                       "100"])
    return [] if done.returncode == 0 else [f"exit code {done.returncode}: {said(done)}"]


def files(folder):
    """Neither a schema, nor rows with a ledger, nor a ledger is written over; rows with a ledger
    are no list of words or classes."""
    make(folder)
    folder.run([*RUN, "-q", "-o", "m.json"], check=0)
    folder.write({"x.schema.json": b"{}", "own.csv": GOOD, "t.csv": LIST,
                  "peek.json": b'{"fields": [{"name": "row"}, {"name": "col"}, {"name": "count"}], '
                  b'"tacit": {"format": "triplets", "vocabulary": {"path": "data.csv"}}}'})
    wrong = []
    for argv in [["generate", "mixture", "-o", "data.csv"],
                 ["generate", "mixture", "-o", "x.schema.json"], [*RUN, "-o", "data.csv.ledger"],
                 ["declare", "own.csv", "-o", "data.csv"],
                 ["evaluate", "m.json", "own.csv", "--labels", "data.csv"],
                 ["cocluster", "t.csv", "--rows", "1", "--cols", "1", "--epsilon", "1",
                  "--vocabulary", "data.csv"],
                 ["cocluster", "t.csv", "--rows", "1", "--cols", "1", "--epsilon", "1", "--schema",
                  "peek.json"]]:
        before = folder.listing()
        done = folder.run(argv)
        if done.returncode not in (64, 73) or folder.listing() != before:
            wrong.append(f"{argv}: exit code {done.returncode}: {said(done)}")
    return wrong


def carried(folder):
    """Declared anew: what was spent goes on."""
    make(folder)
    folder.run([*RUN, "-q"], check=0)
    before = folder.spent("data.csv")
    again = ["ledger", "init", "data.csv", "--epsilon", "8", *DECLARED[:-1], "age=0:100,stay=0:60",
             "--carry", "data.csv.ledger"]
    folder.run(again, check=77)  # not for an analyst
    folder.run([*again, "--as-owner"], check=0)
    after = folder.spent("data.csv")
    folder.write({"rows.csv": GOOD})
    folder.run(["ledger", "init", "rows.csv", "--epsilon", "4", "--columns", "age,stay",
                *DECLARED[-2:]], check=0)
    persons = folder.run(["ledger", "init", "rows.csv", "--epsilon", "4", *DECLARED, "--carry",
                          "rows.csv.ledger", "--as-owner"])
    if persons.returncode != 76:
        return [f"spending by rows goes on as spending by persons: exit code {persons.returncode}"]
    wrong = ([] if abs(after["spent"] * 8 - before["spent"] * 4) < 1e-9
             else [f"{before['spent']} of 4 became {after['spent']} of 8"])
    return wrong + ([] if folder.run(RUN).returncode == 0 else ["a run after it fails"])


def swapped(folder):
    """A link that leads now to the analyst's own file, now to the owner's with its ledger: no run
    ever reads the one and pays by the other."""
    folder.write({"own/free.csv": b"x\n" + b"0.1\n" * 500, "owner/patients.csv": b"x\n" +
                  b"0.9\n" * 500})
    folder.run(["ledger", "init", "owner/patients.csv", "--epsilon", "1", "--bounds", "0:1"],
               check=0)
    os.symlink("own/free.csv", folder.name("link.csv"))
    going = True

    def flip():
        turn = 0
        while going:
            os.symlink(["owner/patients.csv", "own/free.csv"][turn % 2], folder.name("next.csv"))
            os.rename(folder.name("next.csv"), folder.name("link.csv"))
            turn += 1

    swapper = threading.Thread(target=flip)
    swapper.start()
    wrong, own, refused = [], 0, 0
    try:
        for _ in range(100):
            done = folder.run(["kmeans", "link.csv", "-k", "1", "--epsilon", "5", "--bounds", "0:1",
                               "--json", "-q", "--threads", "1"])
            if done.returncode == 0 and json.loads(done.stdout)["centers"][0][0] > 0.5:
                wrong.append("a release of the owner's rows that the ledger does not know")
            own += done.returncode == 0
            refused += done.returncode == 75
            if done.returncode not in (0, 75, 76):
                wrong.append(f"exit code {done.returncode}: {said(done)}")
    finally:
        going = False
        swapper.join()
    if folder.spent("owner/patients.csv")["runs"] != 0:
        wrong.append("the ledger counts a run that it has no budget for")
    if own < 5 or refused < 5:
        wrong.append(f"{own} runs on the one file and {refused} on the other: nothing was tried")
    return wrong[:5]


def aside(folder):
    """A ledger of the analyst's own beside a link to the owner's file takes no run away from the
    owner's ledger."""
    make(folder)
    folder.write({"mine/own.csv": GOOD})
    folder.run(["ledger", "init", "mine/own.csv", "--epsilon", "1000", *DECLARED], check=0)
    os.remove(folder.name("mine/own.csv"))
    os.symlink("../data.csv", folder.name("mine/own.csv"))
    done = folder.run(["kmeans", "mine/own.csv", *RUN[2:]])
    wrong = ([] if done.returncode == 76 and "another beside" in said(done)
             else [f"exit code {done.returncode}: {said(done)}"])
    return wrong + [f"{name} shows runs" for name in ("data.csv", "mine/own.csv.ledger")
                    if folder.spent(name)["runs"] != 0]


def lines(folder):
    """With a ledger no option makes a row pass for the header, to be shown or kept."""
    content = b"age,place\n33,Betelgeuse\n44,Magrathea\n"
    folder.write({"data.csv": content})
    folder.run(["ledger", "init", "data.csv", "--epsilon", "4", "--bounds", "age=0:100",
                "--categories", "place=Betelgeuse|Magrathea"], check=0)
    wrong = []
    for skip in ("1", "2", "7"):
        for argv in (["declare", "data.csv"], ["declare", "data.csv", "-o", "x.json"],
                     ["ledger", "init", "data.csv", "--epsilon", "1", "--bounds", "0:1"],
                     ["ledger", "init", "data.csv", "--epsilon", "1", "--ledger", "my.ledger",
                      "--bounds", "0:1"],
                     ["ledger", "init", "data.csv", "--epsilon", "1", "--ledger", "my.ledger",
                      "--bounds", "33,Betelgeus=0:1"]):
            done = folder.run([*argv, "--skip-lines", skip, "--delimiter", "|"])
            if done.returncode not in (73, 77) or b"Bet" in done.stdout + done.stderr:
                wrong.append(f"{argv}: exit code {done.returncode}: {said(done)}")
    for option in (["--delimiter", ";"], ["--format", "tsv"], ["--decimal", ","],
                   ["--thousands", "."], ["--skip-lines", "1"], ["--row-column", "age"]):
        done = folder.run(["declare", "data.csv", *option])
        if done.returncode != 77 or "ledger schema" not in said(done):
            wrong.append(f"declare {option}: exit code {done.returncode}: {said(done)}")
    for name in ("x.json", "my.ledger"):
        if os.path.exists(folder.name(name)):
            wrong.append(f"{name} was written")
    if folder.run(["declare", "data.csv"]).returncode != 0:
        wrong.append("declare refuses the header itself")
    return wrong


def kept(folder):
    """A ledger keeps what options say of missing values, and loses nothing that is said beside a
    schema."""
    folder.write({"data.csv": b"age,stay\n33,-999\n44,2\n", "other.csv": b"age,stay\n1,2\n"})
    folder.run(["ledger", "init", "data.csv", "--epsilon", "9", "--bounds", "0:100", "--na",
                "-999,gone", "--missing", "fill:1"], check=0)
    schema = json.loads(folder.run(["ledger", "schema", "data.csv"], check=0).stdout)
    wrong = []
    if schema["missingValues"] != ["", "-999", "gone"]:
        wrong.append(f"words for missing values: {schema['missingValues']}")
    if [f["tacit"].get("fill") for f in schema["fields"]] != [1, 1]:
        wrong.append("what to fill in is not kept")
    for argv, code in (([], 0), (["--na", "-999,gone"], 0), (["--missing", "fill:1"], 0),
                       (["--na", "-999"], 77), (["--missing", "fill:2"], 77),
                       (["--missing", "drop-row"], 77)):
        done = folder.run(["kmeans", "data.csv", "-k", "1", "--epsilon", "1", *argv])
        if done.returncode != code:
            wrong.append(f"{argv}: exit code {done.returncode}: {said(done)}")
    folder.write({"other.csv.schema.json": json.dumps({"fields": [
        {"name": name, "type": "number", "constraints": {"minimum": 0, "maximum": 100}}
        for name in ("age", "stay")]}).encode()})
    for option in (["--log", "age"], ["--missing", "age=midpoint"], ["--categories", "age=1|2"],
                   ["--na", "7"]):
        done = folder.run(["ledger", "init", "other.csv", "--epsilon", "1", *option])
        if done.returncode not in (64, 77) or os.path.exists(folder.name("other.csv.ledger")):
            wrong.append(f"{option} beside a schema: exit code {done.returncode}: {said(done)}")
    return wrong


def without_name(folder):
    """Rows that /proc shows, of a run that has a file open, have a ledger that cannot be found: no
    command reads them, not once the owner has put a new file in its place."""
    make(folder)
    wrong = []
    with open(folder.name("data.csv"), "rb") as data:
        path = f"/proc/{os.getpid()}/fd/{data.fileno()}"
        again = ["kmeans", path, "--format", "csv", *RUN[2:]]
        folder.run(again, check=0)
        if folder.spent("data.csv")["runs"] != 1:
            wrong.append("the ledger does not count a run under another name")
        folder.write({"new.csv": GOOD})
        os.rename(folder.name("new.csv"), folder.name("data.csv"))
        folder.write({"m.json": folder.run([*RUN, "--json"], check=0).stdout})
        for argv in (again, ["predict", "m.json", path, "--format", "csv"],
                     ["evaluate", "m.json", path, "--format", "csv"],
                     ["subspace", path, "--format", "csv", "-k", "1", "-q", "1", "--radius", "1",
                      "--not-private"]):
            done = folder.run(argv)
            if done.returncode != 76 or done.stdout or "no name of its own" not in said(done):
                wrong.append(f"{argv[0]}: exit code {done.returncode}: {said(done)}")
        for argv in (["kmeans", "-", *RUN[2:], "--bounds", "age=0:120,stay=0:60"], ["declare", "-"],
                     ["predict", "m.json", "-"]):
            run = folder.start(argv, stdin=data)
            out, err = run.communicate()
            if run.returncode != 76 or out or b"data.csv, which has a ledger" not in err:
                wrong.append(f"{argv[0]} -: exit code {run.returncode}: {err.decode()}")
        folder.write({"free.csv": GOOD})
        with open(folder.name("free.csv"), "rb") as free:
            two = (data.fileno(), free.fileno())
            done = folder.run(["kmeans", "free.csv", *RUN[2:], "--bounds", "age=0:120,stay=0:60",
                               "--converted", "%d,%d" % two], kept=two)
        if done.returncode != 76 or "data.csv, which has a ledger" not in said(done):
            wrong.append(f"as converted rows: exit code {done.returncode}: {said(done)}")
    with tempfile.TemporaryFile() as text:  # as shells hand over what stands in a script
        text.write(GOOD)
        text.seek(0)
        run = folder.start(["kmeans", "-", *RUN[2:], "--bounds", "age=0:120,stay=0:60"], stdin=text)
        err = run.communicate()[1]
    return wrong + ([] if run.returncode == 0 else [f"a text of a script: {err.decode()}"])


def redirected(folder):
    """A shell that opens the file for standard input does not lead past its ledger."""
    make(folder)
    folder.write({"m.json": folder.run([*RUN, "--json"], check=0).stdout, "free.csv": GOOD})
    wrong = []
    for name, code in (("data.csv", 76), ("free.csv", 0)):
        for argv in (["kmeans", "-", *RUN[2:], "--bounds", "age=0:120,stay=0:60"],
                     ["predict", "m.json", "-"]):
            with open(folder.name(name), "rb") as file:
                run = folder.start(argv, stdin=file)
                out, err = run.communicate()
            if run.returncode != code or (code != 0 and (out or b"has a ledger" not in err)):
                wrong.append(f"{argv[0]} - < {name}: exit code {run.returncode}: {err.decode()}")
    folder.run(["kmeans", "-", *RUN[2:], "--bounds", "age=0:120,stay=0:60"], stdin=GOOD, check=0)
    with open(folder.name("data.csv"), "rb") as file:
        run = folder.start(["kmeans", "-", *RUN[2:], "--ledger", "data.csv.ledger"], stdin=file)
        err = run.communicate()[1]
    if run.returncode != 0 or folder.spent("data.csv")["runs"] != 2:
        wrong.append(f"with its own ledger: exit code {run.returncode}: {err.decode()}")
    return wrong


def linked(folder):
    """A link to the ledger, beside a link to the rows or in --ledger, may lead elsewhere a moment
    after it was looked at: what is opened is the ledger itself."""
    make(folder)
    folder.write({"mine/own.csv": GOOD})
    for link, target in (("mine/link.csv", "../data.csv"), ("mine/own.csv.ledger",
                         "../data.csv.ledger"), ("mine/link.csv.ledger", "../data.csv.ledger")):
        os.symlink(target, folder.name(link))
    much = [*RUN[2:-1], "50"]
    named = ["--ledger", "mine/link.csv.ledger"]
    wrong = []
    for argv in (["mine/link.csv"], ["data.csv", *named], ["mine/link.csv", *named],
                 ["mine/own.csv"], ["-", *named]):
        with open(folder.name("data.csv"), "rb") as file:
            run = folder.start(["kmeans", *argv, *much], stdin=file)
            err = run.communicate()[1].decode()
        if run.returncode != 75 or "the ledger data.csv.ledger has" not in err:
            wrong.append(f"{argv}: exit code {run.returncode}: {err}")
    return wrong


def headless(folder):
    """Nor does standard input make a row pass for the header, to be shown or kept."""
    folder.write({"data.csv": b"who,age\nMarvin,33\nZaphod,44\n"})
    folder.run(["ledger", "init", "data.csv", "--epsilon", "4", "--bounds", "age=0:100"], check=0)
    wrong = []
    for argv in (["declare", "-"], ["declare", "/dev/stdin"], ["declare", "-", "-o", "x.json"],
                 ["ledger", "init", "-", "--epsilon", "1", "--bounds", "0:1", "--ledger",
                  "my.ledger"], ["plan", "kmeans", "-", "-k", "1", "--epsilon", "1", "--bounds",
                                 "0:1", "--rows-about", "9"]):
        with open(folder.name("data.csv"), "rb") as file:
            run = folder.start([*argv, "--skip-lines", "1", "--delimiter", "|"], stdin=file)
            out, err = run.communicate()
        if run.returncode not in (76, 77) or out or b"has a ledger" not in err:
            wrong.append(f"{argv}: exit code {run.returncode}: {err.decode()}")
    return wrong + [f"{name} was written" for name in ("x.json", "my.ledger")
                    if os.path.exists(folder.name(name))]


def endings(folder):
    """A link with another ending does not make a row pass for a header: with a ledger declare says
    what it declares."""
    row = b"1 3:0.5 # Smith, Anna\n"
    folder.write({"rows.svm": row + b"0 1:1\n"})
    folder.run(["ledger", "init", "rows.svm", "--epsilon", "1", "--shape", "x50", "--bounds",
                "0:1"], check=0)
    shown = folder.run(["ledger", "schema", "rows.svm"], check=0).stdout
    wrong = []
    for name in ("rows.csv", "rows.tsv", "rows.mtx", "rows.npy", "rows"):
        os.symlink("rows.svm", folder.name(name))
        done = folder.run(["declare", name])
        if done.returncode != 0 or done.stdout != shown or b"Smith" in done.stderr:
            wrong.append(f"{name}: exit code {done.returncode}: {said(done)}")
    return wrong


def overwritten(folder):
    """A link among outputs leads to no ledger and to no rows that have one."""
    make(folder)
    folder.write({"mine/free.csv": GOOD})
    before, wrong = folder.listing(), []
    for target in ("../data.csv", "../data.csv.ledger"):
        os.symlink(target, folder.name("mine/out.json"))
        done = folder.run(["kmeans", "mine/free.csv", *RUN[2:], "--bounds",
                           "age=0:120,stay=0:60", "-o", "mine/out.json"])
        if done.returncode != 64 or "never written over" not in said(done):
            wrong.append(f"{target}: exit code {done.returncode}: {said(done)}")
        os.remove(folder.name("mine/out.json"))
    return wrong + ([] if folder.listing() == before else ["something was written"])


def measured(folder):
    """Rows that are named as another kind of file are refused alike, whatever they hold."""
    folder.write({"own.csv": GOOD})
    said_of = {}
    for rows in (b"1 3:0.5\n0 1:1\n", b"-1234.5 3:0.5\n0 1:1\n", b'"Smith" 3:0.5\n0 1:1\n',
                 b"[1,2]\n0 1:1\n", b"1 3:0.5 # a, b, c\n", b"7\n"):
        folder.write({"rows.svm": rows})
        for argv in ([*RUN, "--schema", "rows.svm"], [*RUN, "--bounds", "rows.svm"],
                     ["report", "rows.svm"]):
            argv = [word.replace("data.csv", "own.csv") for word in argv]
            said_of.setdefault(" ".join(argv), set()).add(said(folder.run(argv)))
    return [f"{argv}: {found}" for argv, found in said_of.items() if len(found) != 1]


def moved(folder):
    """Nor does a folder among outputs that leads elsewhere by the time that they are written."""
    make(folder, name="owner/data.csv")
    folder.write({"mine/none": b"", "a.csv": b"x\n1\n", "b.csv": b"x\n2\n"})
    os.symlink("mine", folder.name("way"))
    done = folder.run(["audit", "--command", "ln -sfn owner way; cat {input}", "--pair", "a.csv",
                       "b.csv", "--epsilon", "9", "--runs", "20", "--picture", "way/data.csv"])
    with open(folder.name("owner/data.csv"), "rb") as file:
        kept = file.read() == GOOD
    left = sorted(os.listdir(folder.name("owner")))
    return ([] if done.returncode == 64 and kept and left == ["data.csv", "data.csv.ledger"]
            else [f"exit code {done.returncode}, in the owner's folder {left}: {said(done)}"])


def audited(folder):
    """Rows with a ledger are not handed to a program by an audit."""
    make(folder)
    folder.write({"free.csv": GOOD})
    wrong = []
    for pair in (("data.csv", "free.csv"), ("free.csv", "data.csv")):
        done = folder.run(["audit", "--command", "cp {input} copy; cat {input}", "--pair", *pair,
                           "--epsilon", "1", "--runs", "20"])
        if done.returncode != 64 or done.stdout or "with a ledger" not in said(done):
            wrong.append(f"{pair}: exit code {done.returncode}: {said(done)}")
    return wrong + (["a copy was made"] if "copy" in folder.listing() else [])


CASES = [walk, beside, contradictions, owner, first, unpaid, words, cut, entries, renamed, plans,
         files, carried, swapped, aside, lines, kept, without_name, redirected, linked, headless,
         endings, overwritten, measured, moved, audited]


def work(binary):
    def one(case):
        with harness.Folder(binary) as folder:
            return case.__doc__.split("\n")[0], case(folder)
    return one
