# SPDX-License-Identifier: Apache-2.0
"""Everything a user can get wrong, as a table: files, a command line, the exit code and words of
the sentence.

Every data file carries a canary, a number and a name that no message may repeat."""
import dataclasses
import gzip
import os
import re
import sqlite3
import struct

USAGE, FORMAT, NO_INPUT, NO_OUTPUT, READ, SPENT, LEDGER, DECLARED = 64, 65, 66, 73, 74, 75, 76, 77
DOCUMENTED = {64, 65, 66, 70, 71, 73, 74, 75, 76, 77, 130}

NUMBER, NAME = b"987654321", b"Beeblebrox"
CANARIES = [NUMBER.decode(), NAME.decode()]

GOOD = (b"age,stay\n" + b"".join(b"%d,%d\n" % (20 + i % 60, i % 30) for i in range(200)) + NUMBER +
        b",3\n")
PEOPLE = b"who,age,stay\n" + b"".join(b"p%d,%d,%d\n" % (i // 2, 20 + i % 60, i % 30)
                                      for i in range(200)) + NAME + b"," + NUMBER + b",3\n"
RUN = ["-k", "2", "--epsilon", "1", "--bounds", "age=0:120,stay=0:60"]
PLAIN = ["-k", "2", "--epsilon", "1", "--bounds", "0:1"]


@dataclasses.dataclass
class Case:
    name: str
    argv: list
    code: object                  # the exit code, or a set of allowed ones
    says: list = dataclasses.field(default_factory=list)
    files: dict = dataclasses.field(default_factory=dict)
    stdin: bytes = b""
    ledger: dict = None           # made before the run: name -> (epsilon, delta) as text
    # options that make the ledger's declaration; None: those of argv, or bounds
    declare: list = None
    before: object = None         # called with the Folder after files and ledger are there
    file_limit: int = None
    closed: tuple = ()            # descriptors closed before the start
    paid: bool = False  # the run is paid for: the release comes on standard output instead
    never: list = dataclasses.field(default_factory=list)


CASES = []


def case(name, argv, code, *says, **more):
    CASES.append(Case(name, argv, code, list(says), **more))


def kmeans(name, argv, code, *says, **more):
    """A run on a good file, with the mistake in argv."""
    more.setdefault("files", {"data.csv": GOOD})
    case("kmeans: " + name, ["kmeans", "data.csv", *argv], code, *says, **more)


def without(option, argv=None):
    argv = list(argv or RUN)
    at = argv.index(option)
    return argv[:at] + argv[at + 2:]


def replaced(option, value):
    argv = list(RUN)
    argv[argv.index(option) + 1] = value
    return argv


# ---- commands and options ------------------------------------------------------------------------

case("no command", [], USAGE, "name a command", "synthesize, report, plan", "--help")
case("unknown command", ["spectral"], USAGE, "unknown command", "--help")
case("mistyped command", ["kmean"], USAGE, "did you mean kmeans?")
case("swapped letters in a command", ["kmaens"], USAGE, "did you mean kmeans?")
case("mistyped evaluate", ["evalute"], USAGE, "did you mean evaluate?")
case("mistyped ledger", ["leger"], USAGE, "did you mean ledger?")
case("empty command", [""], USAGE, "unknown command")
case("a very long command", ["x" * 100000], USAGE, "unknown command")
case("control characters in a command", ["\x1b[31mred"], USAGE, "unknown command", never=["\x1b"])
case("option before the command", ["--epsilon", "1", "kmeans"], USAGE, "the command comes first")
case("help of an unknown command", ["help", "kmean"], USAGE, "did you mean kmeans?")
case("help of two commands", ["help", "kmeans", "plan"], USAGE, "one command")
case("kmeans: no file", ["kmeans", *RUN], USAGE, "a data file, or several")
case("kmeans: two files that are not there", ["kmeans", "a.csv", "b.csv", *RUN], NO_INPUT, "a.csv")
case("kmeans: empty file name", ["kmeans", "", *RUN], USAGE, "empty name")
case("predict: one word", ["predict", "model.json"], USAGE, "a model and a data file")
case("predict: no release", ["predict", "a", "b", "c"], NO_INPUT, "the release")
case("evaluate: no words", ["evaluate"], USAGE, "a model and a data file")
case("plan: no word", ["plan"], USAGE, "what to plan")
case("plan: unknown word", ["plan", "agglomerative", "-k", "2"], USAGE,
     "only kmeans, kmedian, subspace and cocluster")
case("plan: a file first", ["plan", "data.csv", *RUN], USAGE, "tacit plan kmeans",
     files={"data.csv": GOOD})
case("kmedian: no file", ["kmedian", *RUN], USAGE, "a data file, or several", "tacit kmedian")
case("mistyped kmedian", ["kmedians"], USAGE, "did you mean kmedian?")
case("ledger: no word", ["ledger"], USAGE, "init, show, history, schema or report")
case("ledger: unknown word", ["ledger", "destroy", "x"], USAGE,
     "init, show, history, schema or report")
case("ledger: mistyped word", ["ledger", "histroy", "x"], USAGE, "did you mean history?")
case("generate: no word", ["generate"], USAGE, "generate mixture")
case("generate: unknown word", ["generate", "moons"], USAGE, "mixture")

AUDIT = {"a.csv": GOOD, "b.csv": GOOD}
case("audit: nothing named", ["audit", "--epsilon", "1"], USAGE, "what to attack")
case("audit: no claim", ["audit", "kmeans"], USAGE, "no --epsilon")
case("audit: unknown family", ["audit", "dbscan", "--epsilon", "1"], USAGE,
     "kmeans, kmedian, subspace")
case("audit: unknown method", ["audit", "kmeans", "--method", "agglomerative", "--epsilon", "1"],
     USAGE, "--method wants the name of a method or all")
case("audit: two families", ["audit", "kmeans", "subspace", "--epsilon", "1"], USAGE,
     "too many words")
case("audit: a delta the method does not take",
     ["audit", "kmeans", "--method", "sample-aggregate", "--epsilon", "1"], USAGE, "delta")
case("audit: neighbors nobody takes",
     ["audit", "kmedian", "--neighbors", "entry", "--epsilon", "1"], USAGE, "other neighbors")
case("audit: too few runs", ["audit", "kmeans", "--epsilon", "1", "--runs", "2"], USAGE,
     "--runs wants")
case("audit: certainty", ["audit", "kmeans", "--epsilon", "1", "--confidence", "1"], USAGE,
     "--confidence wants")
case("audit: more noise", ["audit", "kmeans", "--epsilon", "1", "--noise-factor", "2"], USAGE,
     "--noise-factor wants")
case("audit: a command without files", ["audit", "--command", "cat {input}", "--epsilon", "1"],
     USAGE, "--pair")
case("audit: one file", ["audit", "--command", "cat {input}", "--pair", "a.csv", "--epsilon", "1"],
     USAGE, "--pair", files=AUDIT)
case("audit: files without a command", ["audit", "--pair", "a.csv", "b.csv", "--epsilon", "1"],
     USAGE, "--command", files=AUDIT)
case("audit: a file that is not there",
     ["audit", "--command", "cat {input}", "--pair", "a.csv", "c.csv", "--epsilon", "1"], NO_INPUT,
     "c.csv", files=AUDIT)
case("audit: a method of a program",
     ["audit", "--command", "cat {input}", "--pair", "a.csv", "b.csv", "--epsilon", "1", "--method",
      "lloyd"], USAGE, "--method", files=AUDIT)
case("audit: a time limit of a method", ["audit", "kmeans", "--epsilon", "1", "--time-limit", "3"],
     USAGE, "--time-limit")
case("audit: a picture in no folder",
     ["audit", "kmeans", "--epsilon", "1", "--picture", "no/such/a.svg"], NO_OUTPUT, "a.svg")

for text in ["1e101", "1e-101", "1e308"]:
    kmeans(f"radius {text}", [*without("--bounds"), "--radius", text], USAGE, "1e100")
for text in ["-1e200:1e200", "0:1e101", "0:1e-101"]:
    kmeans(f"bounds {text}", [*without("--bounds"), "--bounds", text], USAGE, "1e100",
           "another unit")
kmeans("a center of 1e200", [*without("--bounds"), "--radius", "1", "--center", "1e200"], USAGE,
       "1e100")

kmeans("mistyped option", [*RUN, "--delt", "0"], USAGE, "unknown option --delt",
       "did you mean --delta?")
kmeans("mistyped epsilon", ["-k", "2", "--epsilom", "1"], USAGE, "did you mean --epsilon?")
kmeans("british spelling", [*RUN, "--centre", "0"], USAGE, "did you mean --center?")
kmeans("british spelling that 0.1 had", [*RUN, "--neighbours", "nobody"], USAGE, "add-remove")
kmeans("abbreviated option", ["-k", "2", "--eps", "1"], USAGE, "unknown option --eps")
kmeans("option of another command", [*RUN, "--restarts", "3"], USAGE, "unknown option --restarts")
kmeans("unknown option with a value", [*RUN, "--color=" + NUMBER.decode()], USAGE,
       "unknown option --color")
kmeans("unknown letter", [*RUN, "-x"], USAGE, "unknown option -x")
kmeans("unknown letter outside ASCII", [*RUN, "-\u00e9"], USAGE, "unknown option")
kmeans("a very long option", [*RUN, "--" + "e" * 100000], USAGE, "unknown option")
kmeans("option named by dashes alone", [*RUN, "---"], USAGE, "unknown option")
kmeans("epsilon twice", [*RUN, "--epsilon", "2"], USAGE, "--epsilon was given twice")
kmeans("k twice, once as a word", [*RUN, "--clusters", "3"], USAGE, "given twice")
kmeans("flag twice", [*RUN, "--json", "--json"], USAGE, "--json was given twice")
kmeans("value for a flag", [*RUN, "--json=yes"], USAGE, "--json takes no value")
kmeans("letters run together", [*RUN, "-qx"], USAGE, "-q takes no value")
kmeans("no value at the end", ["-k", "2", "--epsilon"], USAGE, "--epsilon has no value")
kmeans("an option instead of a value", ["-k", "2", "--epsilon", "--delta", "0"], USAGE,
       "--epsilon has no value")
kmeans("an option instead of a file", [*RUN, "-o", "--json"], USAGE, "-o has no value")
kmeans("empty value", [*RUN, "--columns="], USAGE, "--columns wants")
kmeans("empty output", [*RUN, "-o", ""], USAGE, "-o wants a file name")

# ---- numbers -------------------------------------------------------------------------------------

NOT_NUMBERS = ["nan", "NaN", "inf", "-inf", "infinity", "1e400", "-1e400", "1e-400", "one", "",
               " 1", "1 ", "1,5", "0x1p3", "1.2.3", "1e", "--1", "1_000", "\u0661", "1\n", "1;2"]
for text in ["0", "-1", "-0", "0.0", *NOT_NUMBERS]:
    kmeans(f"epsilon {text!r}", replaced("--epsilon", text) if not text.startswith("--")
           else ["-k", "2", "--epsilon=" + text], USAGE, "--epsilon wants a positive number",
           "for example 1", "see tacit kmeans --help")
for text in ["-1", "1", "2", "-1e-9", "1.0", *NOT_NUMBERS[:12]]:
    kmeans(f"delta {text!r}", [*RUN, "--delta=" + text], USAGE,
           "--delta wants 0, or a number from 1e-30 to 0.1")
for text in ["0", "-1", "1000001", "1e6", "99999999999999999999", "2.5", "two", "", "nan", "inf",
             "+2", " 2", "2k", "1e400"]:
    kmeans(f"k {text!r}", ["-k", text, *RUN[2:]], USAGE,
           "-k wants a whole number from 1 to 1000000")
for option, text in [("--rounds", "0"), ("--rounds", "-1"), ("--rounds", "many"),
                     ("--rounds", "1001"),
                     ("--threads", "-1"), ("--threads", "1025"), ("--threads", "all"),
                     ("--memory", "0"), ("--memory", "15M"), ("--memory", "2X"), ("--memory", "G"),
                     ("--memory", "2GB"), ("--memory", "-1G"), ("--memory", "9000000T"),
                     ("--memory", ""), ("--spill-dir", ""),
                     ("--insecure-test-seed", "-1"), ("--insecure-test-seed", "1.5"),
                     ("--insecure-test-seed", "18446744073709551616"), ("--scale", "standard"),
                     ("--scale", ""),
                     ("--format", "parquet"), ("--format", "CSV"),
                     ("--method", "agglomerative"), ("--method", ""), ("--method", "k"),
                     ("--method", "0"), ("--method", "x" * 10000), ("--constants", "best"),
                     ("--constants", ""),
                     ("--k-max", "0"), ("--k-max", "-1"), ("--k-max", "1001"), ("--k-max", "auto"),
                     ("--k-max", "2.5"),
                     ("--sparsity", "0"), ("--sparsity", "-3"), ("--sparsity", "1000001"),
                     ("--sparsity", "half"),
                     ("--neighbors", "both")]:
    kmeans(f"{option} {text[:20]!r}", [*RUN, f"{option}={text}"], USAGE, f"{option} wants")
kmeans("a spill folder without memory", [*RUN, "--spill-dir", "."], USAGE, "add --memory",
       ledger={"data.csv": ("4", "0")})
kmeans("a spill folder that is not there", [*RUN, "--memory", "2G", "--spill-dir", "nowhere"],
       USAGE, "cannot be reached", ledger={"data.csv": ("4", "0")})
kmeans("a spill folder that is a file", [*RUN, "--memory", "2G", "--spill-dir", "data.csv"],
       USAGE, "not a folder", ledger={"data.csv": ("4", "0")})
kmeans("a method that needs all rows in memory",
       [*RUN, "--method", "kvariates", "--memory", "16M"], USAGE, "kvariates", "--memory",
       ledger={"data.csv": ("4", "0")})
kmeans("near miss of a choice", [*RUN, "--neighbors", "add-remov"], USAGE,
       "did you mean add-remove?")

# ---- methods and what goes with them; nothing is spent by a run that is refused ------------------

WITH_LEDGER = {"ledger": {"data.csv": ("4", "0")}}
LLOYD = [*RUN, "--method", "lloyd"]
kmeans("a method without a price on a ledger",
       [*RUN, "--delta", "1e-6", "--method", "sample-aggregate"], USAGE, "no price on a ledger",
       ledger={"data.csv": ("4", "1e-5")})
kmeans("a method that needs delta", [*RUN, "--method", "sample-aggregate"], USAGE, "delta above 0")
for typed, meant in [("loyd", "lloyd"), ("Lloyd", "lloyd"), ("lloyds", "lloyd"), ("ll", "lloyd"),
                     ("sulk", "sulq"), ("dp-lloyd", "dplloyd"), ("gird", "grid")]:
    kmeans(f"method {typed}", [*RUN, "--method", typed], USAGE, f"did you mean {meant}?",
           "--list-methods", **WITH_LEDGER)
kmeans("a method that was dropped", [*RUN, "--method", "sample-mean"], USAGE, "dropped in 0.2",
       "sample-aggregate", **WITH_LEDGER)
kmeans("a method that is an option of another", [*RUN, "--method", "hybrid"], USAGE,
       "--method grid --rounds 1", **WITH_LEDGER)
kmeans("a method nobody knows", [*RUN, "--method", "spectral"], USAGE, "lloyd", "sulq",
       "--list-methods", **WITH_LEDGER)
kmeans("control characters in a method", [*RUN, "--method", "\x1b[31m"], USAGE, "--method wants",
       never=["\x1b"])
kmeans("a data value as a method", [*RUN, "--method", NUMBER.decode()], USAGE, "--method wants")
for text in ["Auto", "AUTO", "auto5", "-1", "many", "auto,5"]:
    kmeans(f"k {text!r}, not auto", ["-k", text, *RUN[2:]], USAGE,
           "-k wants a whole number from 1 to 1000000", "or auto")
kmeans("k auto with a method that cannot choose", ["-k", "auto", *LLOYD[2:]], USAGE,
       "lloyd cannot choose k", **WITH_LEDGER)
kmeans("k as a word with two dashes", ["--k", "2", *RUN[2:]], USAGE, "did you mean -k?")
kmeans("k max without k auto", [*RUN, "--k-max", "5"], USAGE, "--k-max", "-k auto", **WITH_LEDGER)
kmeans("constants of another method", [*LLOYD, "--constants", "theory"], USAGE, "--constants",
       "--method balcan", **WITH_LEDGER)
kmeans("constants of no method", [*RUN, "--constants", "practical"], USAGE, "--constants",
       "--method balcan", **WITH_LEDGER)
kmeans("near miss of constants", [*RUN, "--method", "lloyd", "--constants", "teory"], USAGE,
       "did you mean theory?")
kmeans("rounds of a method that counts them itself",
       [*RUN, "--method", "kvariates", "--rounds", "3"], USAGE, "kvariates", "rounds",
       **WITH_LEDGER)
kmeans("value for --list-methods", ["--list-methods=yes"], USAGE, "--list-methods takes no value")
kmeans("--list-methods twice", ["--list-methods", "--list-methods"], USAGE, "twice")
case("predict: list of methods", ["predict", "--list-methods"], USAGE,
     "unknown option --list-methods")
case("plan: list of methods", ["plan", "kmeans", "--list-methods"], USAGE,
     "unknown option --list-methods")
case("plan: option of another plan", ["plan", "cocluster", "--bounds", "0:1"], USAGE,
     "not for plan cocluster; see tacit plan cocluster --help")
case("kmeans: nothing but a file", ["kmeans", "data.csv"], USAGE, "-k", "--epsilon", "--bounds",
     files={"data.csv": GOOD})
for objective, method in [("kmedian", "lloyd"), ("kmedian", "sulq")]:
    case(f"{objective}: method {method}", [objective, "data.csv", *RUN, "--method", method], USAGE,
         f"--method {method} does not do", "run tacit kmeans", files={"data.csv": GOOD},
         **WITH_LEDGER)
    case(f"plan {objective}: method {method}",
         ["plan", objective, "data.csv", *RUN, "--method", method, "--rows-about", "9"], USAGE,
         f"--method {method} does not do", files={"data.csv": GOOD})

kmeans("no epsilon", without("--epsilon"), USAGE, "no privacy budget was given", "--epsilon 1")
kmeans("no k", without("-k"), USAGE, "-k 5")

# ---- bounds and ball -----------------------------------------------------------------------------

kmeans("no bounds", without("--bounds"), USAGE, "--bounds", "--radius",
       "never take it from the rows")
kmeans("bounds and radius", [*RUN, "--radius", "1"], USAGE, "exclude each other")
kmeans("center without radius", [*RUN, "--center", "0"], USAGE, "--radius")
for text in ["0", "-1", "nan", "inf", "1e400", "big", ""]:
    kmeans(f"radius {text!r}", [*without("--bounds"), "--radius=" + text], USAGE,
           "--radius wants a positive number")
for text in ["x", "1,", ",1", "1,,2", "nan", "nan,1", "1e400,0", "0;0", "1" * 100]:
    kmeans(f"center {text[:12]!r}", [*without("--bounds"), "--radius", "1", "--center=" + text],
           USAGE, "--center wants")
kmeans("center of another dimension", [*without("--bounds"), "--radius", "1", "--center", "1,2,3"],
       USAGE, "3 numbers", "2 columns")
for name, text, words in [
        ("reversed", "age=120:0,stay=0:60", ["age", "reversed"]),
        ("equal", "age=0:120,stay=5:5", ["stay", "equal"]),
        ("NaN", "age=nan:120,stay=0:60", ["age"]),
        ("infinite", "age=0:inf,stay=0:60", ["age"]),
        ("too large", "age=0:1e400,stay=0:60", ["age"]),
        ("text", "age=0:old,stay=0:60", ["age"]),
        ("unknown column", "age=0:120,stay=0:60,weight=0:9", ["weight"]),
        ("mistyped column", "age=0:120,sta=0:60", ["did you mean 'stay'?"]),
        ("column twice", "age=0:120,stay=0:60,age=0:9", ["age", "twice"]),
        ("no colon", "age=0-120,stay=0:60", ["bounds"]),
        ("no lower", "age=:120,stay=0:60", ["age"]),
        ("no upper", "age=0:,stay=0:60", ["age"]),
        ("three numbers", "age=0:1:2,stay=0:60", ["age"]),
        ("empty part", "age=0:120,,stay=0:60", ["bounds"]),
        ("trailing comma", "age=0:120,stay=0:60,", ["bounds"]),
        ("only a colon", ":", []),
        ("for all, reversed", "1:0", ["reversed"]),
        ("for all, equal", "1:1", ["equal"]),
        ("for all, NaN", "nan:nan", []),
        ("for all, twice", "0:1,age=0:120,0:2", ["two ranges for all"]),
        ("for all, twice with estimates", "private,0:1", ["two ranges for all"]),
        ("of a number of columns", "3=0:1", ["'3'"]),
        ("of column 0", "0=0:1,age=0:2", ["'0'"]),
        ("a date and a number", "age=1990-01-01:2000", ["age", "dates"]),
        ("a day that there is not", "age=1990-02-30:2000-01-01", ["age", "dates"]),
        ("dates for all", "1990-01-01:2000-01-01", ["all columns"]),
        ("dates reversed", "age=2000-01-01:1990-01-01", ["age", "reversed"]),
        ("estimated within nothing", "age=private:", ["age"]),
        ("estimated within half a range", "age=private:0", ["age"]),
        ("estimated within a reversed range", "age=private:9:1", ["age", "reversed"])]:
    kmeans("bounds " + name, [*without("--bounds"), "--bounds", text], USAGE, *words)
kmeans("bounds empty", [*without("--bounds"), "--bounds="], USAGE, "--bounds wants")
kmeans("bounds file missing", [*without("--bounds"), "--bounds", "nowhere.csv"], NO_INPUT,
       "nowhere.csv")
kmeans("bounds file is a folder", [*without("--bounds"), "--bounds", "folder"], {NO_INPUT, READ},
       "folder", files={"data.csv": GOOD, "folder/x": b""})
for name, text in [
    ("empty", b""), ("header only", b"column,lower,upper\n"),
    ("without a header", b"age,0,120\nstay,0,60\n"),
    ("with another header", b"name,min,max\nage,0,120\n"),
    ("with two fields", b"column,lower,upper\nage,0\n"),
    ("with four fields", b"column,lower,upper\nage,0,120,1\n"),
    ("reversed", b"column,lower,upper\nage,120,0\nstay,0,60\n"),
    ("equal", b"column,lower,upper\nage,0,0\nstay,0,60\n"),
    ("with NaN", b"column,lower,upper\nage,nan,120\nstay,0,60\n"),
    ("with an empty field", b"column,lower,upper\nage,,120\nstay,0,60\n"),
    ("with text", b"column,lower,upper\nage,zero,120\nstay,0,60\n"),
    ("with a column twice", b"column,lower,upper\nage,0,120\nage,0,120\nstay,0,60\n"),
    ("with an unknown column", b"column,lower,upper\nage,0,120\nstay,0,60\nwait,0,1\n"),
    ("with zero bytes", b"column,lower,upper\nage,0,120\nstay,\0,60\n"),
    ("of random bytes", bytes(range(256)) * 8),
    ("with semicolons", b"column;lower;upper\nage;0;120\n"),
    ("with an open quote", b'column,lower,upper\n"age,0,120\nstay,0,60\n'),
    ("in UTF-16", "column,lower,upper\nage,0,120\n".encode("utf-16"))]:
    kmeans("bounds file " + name, [*without("--bounds"), "--bounds", "b.csv"], USAGE,
           files={"data.csv": GOOD, "b.csv": text})

# ---- columns and people --------------------------------------------------------------------------

kmeans("unknown column", [*RUN, "--columns", "age,weight"], USAGE, "weight")
kmeans("mistyped column", [*RUN, "--columns", "agee,stay"], USAGE, "did you mean 'age'?")
kmeans("column twice", [*RUN, "--columns", "age,age"], USAGE, "twice")
kmeans("empty column", [*RUN, "--columns", "age,,stay"], USAGE, "empty name")
kmeans("column number 0", [*RUN, "--columns", "0"], USAGE, "column")
kmeans("column number 3 of 2", [*RUN, "--columns", "3"], USAGE, "column")
kmeans("unknown label column", [*RUN, "--label-column", "klass"], USAGE, "klass")
kmeans("label column is the only column",
       ["-k", "2", "--epsilon", "1", "--bounds", "0:1", "--label-column", "age"], USAGE,
       "no column", files={"data.csv": b"age\n1\n"})
kmeans("label column also used", [*RUN, "--columns", "age,stay", "--label-column", "age"], USAGE,
       "age")
kmeans("unknown unit column", [*RUN, "--unit-column", "name", "--max-rows-per-person", "2"], USAGE,
       "name", files={"data.csv": PEOPLE})
kmeans("unit column without a limit", [*RUN, "--unit-column", "who"], USAGE,
       "--max-rows-per-person", files={"data.csv": PEOPLE})
kmeans("a limit without unit column", [*RUN, "--max-rows-per-person", "2"], USAGE, "--unit-column")
for text in ["0", "-1", "32769", "few"]:
    kmeans(f"a limit of {text}", [*RUN, "--unit-column", "who", "--max-rows-per-person", text],
           USAGE, "--max-rows-per-person wants", files={"data.csv": PEOPLE})
kmeans("unit column and label column the same",
       [*RUN, "--unit-column", "who", "--max-rows-per-person", "2", "--label-column", "who"], USAGE,
       files={"data.csv": PEOPLE})

kmeans("a test seed on a ledger", [*RUN, "--insecure-test-seed", "1"], USAGE, "test seed",
       ledger={"data.csv": ("4", "0")})
kmeans("another ledger than the data set's own", [*RUN, "--ledger", "other.ledger"], 76,
       "data.csv.ledger", ledger={"other.ledger": ("4", "0"), "data.csv": ("4", "0")})
kmeans("rows on a ledger for the other relation", [*RUN, "--neighbors", "replace"], DECLARED,
       "--neighbors", "add-remove", ledger={"data.csv": ("4", "0")},
       declare=["--bounds", "age=0:120,stay=0:60"])

# ---- what columns are ----------------------------------------------------------------------------

SHOP = (b"customer_id,sex,region,age,spend,joined\nC1,F,N," + NUMBER + b",10,2020-01-01\n"
        b"C2,M,E,40,20.5,2021-06-30\n")
SHOPPING = ["-k", "2", "--epsilon", "1", "--columns", "sex,age,spend"]
RANGES = ["--bounds", "age=0:120,spend=1:900"]


def shop(name, options, code, *words, **more):
    kmeans("columns: " + name, [*SHOPPING, *options], code, *words, files={"data.csv": SHOP},
           **more)


for name, text, words in [
        ("an unknown column", "sx=F|M", ["sx", "did you mean 'sex'?"]),
        ("a column that is not used", "region=N|E", ["region"]),
        ("no equals sign", "sex", ["'='"]),
        ("no category", "sex=", ["sex"]),
        ("an empty category", "sex=F||M", ["sex", "category 2"]),
        ("a category twice", "sex=F|M|F", ["sex", "twice"]),
        ("the word for those that have none", "sex=F|(missing)", ["sex"]),
        ("blanks around a category", "sex=F| M", ["sex", "category 2"]),
        ("a control character", "sex=F|\x01", ["sex", "category 2"]),
        ("a column twice", "sex=F|M,sex=M|F", ["sex", "twice"]),
        ("too many categories", "sex=" + "|".join(f"c{i}" for i in range(1001)), ["sex", "1000"]),
        ("an empty part", "sex=F|M,,age=1|2", ["'='"])]:
    shop("categories, " + name, [*RANGES, "--categories=" + text], USAGE, *words)
shop("a text column without categories", ["--bounds", "0:900,sex=0:1"], FORMAT, "sex")
for name, text, words in [("zero", "age=0", ["age", "weight"]), ("negative", "age=-2", ["age"]),
                          ("NaN", "age=nan", ["age"]), ("text", "age=heavy", ["age"]),
                          ("too large", "age=1e9", ["age", "1e6"]), ("nothing", "age=", ["age"]),
                          ("an unknown column", "agee=2", ["did you mean 'age'?"]),
                          ("a column twice", "age=2,age=3", ["age", "twice"])]:
    shop("weights, " + name, [*RANGES, "--categories", "sex=F|M", "--weights=" + text], USAGE,
         *words)
for name, options, words in [
        ("an unknown one", ["--transform", "age=ln"], ["age", "log, log1p, sqrt"]),
        ("of categories", ["--transform", "sex=log"], ["sex", "categories"]),
        ("of a bound of 0", ["--log", "age"], ["age", "above 0", "log1p"]),
        ("of an unknown column", ["--log", "spent"], ["did you mean 'spend'?"]),
        ("twice", ["--log", "spend", "--transform", "spend=sqrt"], ["spend", "twice"])]:
    shop("transform, " + name, [*RANGES, "--categories", "sex=F|M", *options], USAGE, *words)
for name, text, words in [
        ("an unknown rule", "drop", ["drop-row"]), ("no rule", "age=", ["age"]),
        ("an unknown rule of a column", "age=mean", ["age", "drop-row"]),
        ("a file refused by one column", "age=reject-file", ["age", "all columns"]),
        ("a category of a number", "age=own-category", ["age"]),
        ("a text to fill in", "age=fill:old", ["age"]),
        ("nothing to fill in", "age=fill:", ["age"]),
        ("NaN to fill in", "age=fill:nan", ["age"]),
        ("no category to fill in", "sex=fill:X", ["sex"]),
        ("one fill for numbers and categories", "fill:0", ["sex"]),
        ("an unknown column", "agee=midpoint", ["did you mean 'age'?"]),
        ("a column twice", "age=midpoint,age=drop-row", ["age", "twice"])]:
    shop("missing, " + name, [*RANGES, "--categories", "sex=F|M", "--missing=" + text], USAGE,
         *words)
shop("a radius beside categories", ["--radius", "1", "--categories", "sex=F|M"], USAGE, "radius")
shop("a radius beside weights", ["--radius", "1", "--weights", "age=2"], USAGE, "radius")
kmeans("columns: one range for all, and an id", ["-k", "2", "--epsilon", "1", "--bounds", "0:900"],
       USAGE, "customer_id", "id", files={"data.csv": SHOP})
kmeans("columns: estimates for all, and an id",
       ["-k", "2", "--epsilon", "1", "--bounds", "private"], USAGE, "customer_id", "id",
       files={"data.csv": SHOP})
subspace_of = ["-k", "1", "-q", "1", "--epsilon", "1", "--columns", "age,spend"]
case("columns: categories of subspaces",
     ["subspace", "data.csv", *subspace_of, *RANGES, "--categories", "age=1|2"], USAGE,
     "--categories", files={"data.csv": SHOP})

# ---- data files ----------------------------------------------------------------------------------

case("file missing", ["kmeans", "nowhere.csv", *RUN], NO_INPUT, "nowhere.csv")
case("file in a missing folder", ["kmeans", "no/where.csv", *RUN], NO_INPUT, "no/where.csv")
case("file is a folder", ["kmeans", "folder", *RUN, "--format", "csv"], {NO_INPUT, READ}, "folder",
     files={"folder/x": b""})
case("file with an unknown ending", ["kmeans", "data.xyz", *RUN], {USAGE, FORMAT}, "data.xyz",
     files={"data.xyz": GOOD})
if os.geteuid() != 0:
    kmeans("file not readable", RUN, NO_INPUT, "data.csv",
           before=lambda f: os.chmod(f.name("data.csv"), 0))
    kmeans("folder not writable", [*RUN, "-o", "folder/out.json"], NO_OUTPUT, "folder/out.json",
           files={"data.csv": GOOD, "folder/x": b""},
           before=lambda f: os.chmod(f.name("folder"), 0o500))

HEAD = b"age,stay\n" + NUMBER + b",1\n"
for name, content, words in [
    ("empty file", b"", ["data.csv"]),
    ("only a newline", b"\n", ["data.csv"]),
    ("short row", HEAD + b"1\n", ["line 3", "fewer"]),
    ("long row", HEAD + b"1,2,3\n", ["line 3", "more"]),
    ("long row by an empty cell", HEAD + b"1,2,\n", ["line 3", "more"]),
    ("blank line between rows", HEAD + b"\n1,2\n", ["line 3"]),
    ("text in a number column", HEAD + NAME + b",2\n", ["line 3", "age"]),
    ("text late in the file", HEAD + b"1,2\n" * 50000 + b"1," + NAME + b"\n",
     ["line 50003", "stay"]),
    ("number with text behind", HEAD + b"12years,2\n", ["line 3", "age"]),
    ("number with a thousands mark", HEAD + b"1'000,2\n", ["line 3", "age"]),
    ("decimal comma in quotes", HEAD + b'"1,5",2\n', ["line 3", "age"]),
    ("hexadecimal number", HEAD + b"0x10,2\n", ["line 3", "age"]),
    ("zero byte", HEAD + b"1,\0002\n", ["line 3"]),
    ("zero bytes only", b"\0" * 4096, ["data.csv"]),
    ("zero byte in the header", b"age,st\0ay\n1,2\n", ["header"]),
    ("open quote", HEAD + b'"1,2\n3,4\n', ["quote"]),
    ("open quote in the header", b'age,"stay\n1,2\n', ["quote"]),
    ("text behind a quote", HEAD + b'"1"2,2\n', ["quote"]),
    ("name twice", b"age,stay,age\n" + NUMBER + b",1,2\n", ["age", "twice"]),
    ("empty name", b"age,,stay\n" + NUMBER + b",1,2\n", ["name 2"]),
    ("no header", NUMBER + b",1\n2,3\n", ["header"]),
    ("semicolons", b"age;stay\n" + NUMBER + b";1\n", ["line 1", "semicolons", "commas"]),
    ("UTF-16", ("age,stay\n" + NUMBER.decode() + ",1\n").encode("utf-16"), ["UTF-16"]),
    ("header not in UTF-8", b"\xe4ge,stay\n1,2\n", ["UTF-8"]),
    ("a line of 10 MB of digits in quotes", b"age,stay\n1," + b'"' + b"A" * 10_000_000 + b'"\n',
     ["line 2"]),
    ("a header of 10 MB", b"A" * 10_000_000 + b",age\n1,2\n", []),
    ("an NPY called CSV", b"\x93NUMPY\x01\x00" + b"v\0" + b" " * 117 + b"\n", ["data.csv"]),
    ("a gzip called CSV", b"\x1f\x8b\x08\x00" + bytes(range(256)), ["data.csv"])]:
    kmeans(name, RUN if b"age" in content else PLAIN, {FORMAT, USAGE} if name == "a header of 10 MB"
           else FORMAT, *words, files={"data.csv": content})
kmeans("missing value, file to be rejected", [*RUN, "--missing", "reject-file"], FORMAT, "line 3",
       "stay", files={"data.csv": HEAD + b"1,\n"})
kmeans("infinite value, file to be rejected", [*RUN, "--missing", "reject-file"], FORMAT, "line 3",
       files={"data.csv": HEAD + b"inf,1\n"})
kmeans("number too large, file to be rejected", [*RUN, "--missing", "reject-file"], FORMAT,
       "line 3", files={"data.csv": HEAD + b"1e400,1\n"})
case("empty standard input", ["kmeans", "-", *RUN], FORMAT, "standard input")
case("bad standard input", ["kmeans", "-", *RUN], FORMAT, "line 3", stdin=HEAD + b"1\n")
case("tabs called CSV", ["kmeans", "data.csv", *RUN], FORMAT, "line 1", "tabs", "tsv",
     files={"data.csv": GOOD.replace(b",", b"\t")})
case("commas called TSV", ["kmeans", "data.tsv", *RUN], FORMAT, "line 1", "commas", "csv",
     files={"data.tsv": GOOD})


def npy(header, data=b"", version=b"\x01\x00"):
    text = header.encode() if isinstance(header, str) else header
    size = struct.pack("<H", len(text)) if version == b"\x01\x00" else struct.pack("<I", len(text))
    return b"\x93NUMPY" + version + size + text + data


def array(shape, descr="<f8", order="False", tail=" }"):
    return f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape},{tail}\n"


CANARY_F8 = struct.pack("<4d", 987654321.0, 1, 2, 3)
for name, content in [
    ("empty", b""),
    ("magic alone", b"\x93NUMPY"),
    ("wrong magic", b"\x93NUMPI\x01\x00" + b" " * 64),
    ("header cut", npy(array("(2, 2)"))[:30]),
    ("data cut", npy(array("(2, 2)"), CANARY_F8[:24])),
    ("data cut within a number", npy(array("(2, 2)"), CANARY_F8[:31])),
    ("data missing", npy(array("(2, 2)"))),
    ("data too long", npy(array("(2, 2)"), CANARY_F8 + b"more")),
    ("huge shape", npy(array("(9223372036854775807, 2)"), CANARY_F8)),
    ("shape that overflows", npy(array("(4611686018427387904, 4)"), CANARY_F8)),
    ("shape beyond 64 bits", npy(array("(99999999999999999999999, 2)"), CANARY_F8)),
    ("many columns", npy(array("(1, 9223372036854775807)"), CANARY_F8)),
    ("negative shape", npy(array("(-2, 2)"), CANARY_F8)),
    ("negative columns", npy(array("(2, -2)"), CANARY_F8)),
    ("no columns", npy(array("(2, 0)"))),
    ("no dimension", npy(array("()"), CANARY_F8[:8])),
    ("three dimensions", npy(array("(1, 2, 2)"), CANARY_F8)),
    ("objects", npy(array("(2, 2)", "|O"), b"\x80\x04K\x01.")),
    ("a pickle", b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00]\x94(K\x01K\x02e."),
    ("complex numbers", npy(array("(2, 2)", "<c16"), CANARY_F8 * 2)),
    ("text", npy(array("(2, 2)", "<U4"), b"\0" * 64)),
    ("dates", npy(array("(2, 2)", "<M8[ns]"), CANARY_F8)),
    ("a record type", npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }\n",
                          CANARY_F8)),
    ("unknown type", npy(array("(2, 2)", "<q9"), CANARY_F8)),
    ("quad precision", npy(array("(2, 2)", "<f16"), CANARY_F8 * 2)),
    ("shape missing", npy("{'descr': '<f8', 'fortran_order': False, }\n", CANARY_F8)),
    ("type missing", npy("{'fortran_order': False, 'shape': (2, 2), }\n", CANARY_F8)),
    ("order missing", npy("{'descr': '<f8', 'shape': (2, 2), }\n", CANARY_F8)),
    ("order neither True nor False", npy(array("(2, 2)", order="Maybe"), CANARY_F8)),
    ("header is no dictionary", npy("[1, 2, 3]\n", CANARY_F8)),
    ("header left open", npy(array("(2, 2)", tail=""), CANARY_F8)),
    ("header of zero bytes", npy(b"\0" * 64, CANARY_F8)),
    ("header calls something", npy("__import__('os').system('touch hacked')\n", CANARY_F8)),
    ("header longer than the file", b"\x93NUMPY\x01\x00\xff\xff" + array("(2, 2)").encode()),
    ("header of 4 GB", b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + array("(2, 2)").encode()),
    ("version 9", npy(array("(2, 2)"), CANARY_F8, version=b"\x09\x00"))]:
    case("NPY: " + name, ["kmeans", "data.npy", *PLAIN], FORMAT, "data.npy",
         files={"data.npy": content})
case("NPY: a bound of no column", ["kmeans", "data.npy", *replaced("--bounds", "age=0:1")], USAGE,
     "names the column 'age'", "its columns: c1", never=["header", "--skip-lines"],
     files={"data.npy": npy(array("(4, 1)"), CANARY_F8)})

MTX = b"%%MatrixMarket matrix coordinate real general\n"
for name, content in [
    ("empty", b""),
    ("no banner", b"2 2 1\n1 1 987654321\n"),
    ("wrong banner", b"%%MatrixMarkt matrix coordinate real general\n2 2 1\n1 1 987654321\n"),
    ("array", b"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n987654321\n"),
    ("complex", b"%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 987654321 0\n"),
    ("symmetric", b"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 1 987654321\n"),
    ("unknown symmetry", b"%%MatrixMarket matrix coordinate real diagonal\n2 2 1\n1 1 987654321\n"),
    ("no size", MTX),
    ("only comments", MTX + b"% a\n% b\n"),
    ("size of two numbers", MTX + b"2 2\n1 1 987654321\n"),
    ("size of text", MTX + b"two 2 1\n1 1 987654321\n"),
    ("negative size", MTX + b"-2 2 1\n1 1 987654321\n"),
    ("rows that overflow", MTX + b"99999999999999999999 2 1\n1 1 987654321\n"),
    ("columns that overflow", MTX + b"2 99999999999 1\n1 1 987654321\n"),
    ("entries that overflow", MTX + b"2 2 99999999999999999999\n1 1 987654321\n"),
    ("too few entries", MTX + b"2 2 3\n1 1 987654321\n"),
    ("too many entries", MTX + b"2 2 1\n1 1 987654321\n2 2 3\n"),
    ("row 0", MTX + b"2 2 1\n0 1 987654321\n"),
    ("row out of range", MTX + b"2 2 1\n3 1 987654321\n"),
    ("column out of range", MTX + b"2 2 1\n1 3 987654321\n"),
    ("negative row", MTX + b"2 2 1\n-1 1 987654321\n"),
    ("entry twice", MTX + b"2 2 2\n1 1 987654321\n1 1 3\n"),
    ("value missing", MTX + b"2 2 1\n1 1\n"),
    ("value of text", MTX + b"2 2 1\n1 1 " + NAME + b"\n"),
    ("a fourth number", MTX + b"2 2 1\n1 1 987654321 7\n"),
    ("zero bytes", MTX + b"2 2 1\n1 1 \0\0\n")]:
    case("Matrix Market: " + name, ["kmeans", "data.mtx", *PLAIN], FORMAT, "data.mtx",
         files={"data.mtx": content})

case("wide sparse rows: method lloyd", ["kmeans", "data.mtx", *PLAIN, "--method", "lloyd"], USAGE,
     "lloyd", "method auto", files={"data.mtx": MTX + b"10 2000 1\n1 1 987654321\n"},
     ledger={"data.mtx": ("4", "0")})

for name, content in [
    ("empty", b""), ("another header", b"a,b,c\n1,1,987654321\n"),
    ("header only", b"row,col,count\n"),
    ("two cells", b"row,col,count\n1,1\n"), ("four cells", b"row,col,count\n1,1,987654321,4\n"),
    ("row of text", b"row,col,count\n" + NAME + b"\n"),
    ("count of text", b"row,col,count\n1,1," + NAME + b"\n"),
    ("zero byte", b"row,col,count\n1,1,\x001\n"),
    ("open quote", b'row,col,count\n1,"1,987654321\n')]:
    case("triplets: " + name, ["kmeans", "data.csv", *PLAIN, "--format", "triplets"], FORMAT,
         "data.csv", files={"data.csv": content})

for name, content in [
    ("empty", b""), ("no colon", b"1 1 2\n"), ("index 0", b"1 0:987654321\n"),
    ("negative index", b"1 -1:987654321\n"),
    ("index of text", b"1 " + NAME + b":1\n"), ("value of text", b"1 1:" + NAME + b"\n"),
    ("indices going down", b"1 2:987654321 1:3\n"), ("index twice", b"1 1:987654321 1:3\n"),
    ("index that overflows", b"1 99999999999999999999:987654321\n"), ("value missing", b"1 1:\n"),
    ("zero byte", b"1 1:\x002\n")]:
    case("libsvm: " + name, ["kmeans", "data.svm", *PLAIN], FORMAT, "data.svm",
         files={"data.svm": content})

# ---- outputs -------------------------------------------------------------------------------------

kmeans("output folder missing", [*RUN, "-o", "nowhere/out.json"], NO_OUTPUT, "nowhere/out.json",
       **WITH_LEDGER)
kmeans("output is a folder", [*RUN, "-o", "folder"], NO_OUTPUT, "folder",
       files={"data.csv": GOOD, "folder/x": b""}, **WITH_LEDGER)
kmeans("output ends in a slash", [*RUN, "-o", "new/"], NO_OUTPUT, "new/", **WITH_LEDGER)
kmeans("output below a file", [*RUN, "-o", "data.csv/out.json"], NO_OUTPUT, "data.csv/out.json",
       **WITH_LEDGER)
kmeans("output is the data", [*RUN, "-o", "data.csv"], USAGE, "the input as well", **WITH_LEDGER)
kmeans("output is the data under another name", [*RUN, "-o", "./data.csv"], USAGE,
       "the input as well", **WITH_LEDGER)
kmeans("output is the ledger", [*RUN, "-o", "data.csv.ledger"], USAGE, "data.csv.ledger",
       **WITH_LEDGER)
kmeans("output is the ledger of other rows", [*RUN, "-o", "other.csv.ledger"], USAGE,
       "never written over", files={"data.csv": GOOD, "other.csv": GOOD},
       ledger={"data.csv": ("4", "0"), "other.csv": ("4", "0")})
case("generate: output is a ledger", ["generate", "mixture", "-o", "data.csv.ledger"], USAGE,
     "never written over", files={"data.csv": GOOD}, **WITH_LEDGER)
for ending in ["", "-journal", "-wal"]:
    kmeans(f"output is named like a ledger{ending}", [*RUN, "-o", "new.csv.ledger" + ending], USAGE,
           "never written over", **WITH_LEDGER)
kmeans("output is /dev/full", [*RUN, "-o", "/dev/full"], NO_OUTPUT, "/dev/full", **WITH_LEDGER)
kmeans("output is /dev/null", [*RUN, "-o", "/dev/null"], NO_OUTPUT, "/dev/null", **WITH_LEDGER)
kmeans("output name too long", [*RUN, "-o", "x" * 300], NO_OUTPUT, **WITH_LEDGER)
kmeans("disk full, no ledger", [*RUN, "-o", "out.json"], NO_OUTPUT, "out.json", "paid",
       file_limit=16, paid=True)
kmeans("disk full for the ledger", [*RUN, "-o", "out.json"], {NO_OUTPUT, LEDGER}, "data.csv.ledger",
       file_limit=16, **WITH_LEDGER)
kmeans("standard output closed", RUN, NO_OUTPUT, "standard output is closed", closed=(1,),
       **WITH_LEDGER)
kmeans("standard output and input closed", RUN, NO_OUTPUT, closed=(0, 1), **WITH_LEDGER)
case("closed standard input as data", ["kmeans", "-", *RUN], FORMAT, "standard input", closed=(0,))
kmeans("ledger behind a link, exhausted", replaced("--epsilon", "5"), SPENT, "data.csv.ledger",
       files={"real/data.csv": GOOD}, ledger={"real/data.csv": ("4", "0")},
       before=lambda f: os.symlink("real/data.csv", f.name("data.csv")))
case("generate: disk full", ["generate", "mixture", "-o", "x.csv"], NO_OUTPUT, "x.csv",
     file_limit=1000)
case("generate: disk full, NPY", ["generate", "mixture", "-o", "x.npy"], NO_OUTPUT, "x.npy",
     file_limit=1000)
case("generate: folder missing", ["generate", "mixture", "-o", "no/x.csv"], NO_OUTPUT, "no/x.csv")
case("generate: bounds folder missing",
     ["generate", "mixture", "-o", "x.csv", "--bounds-out", "no/b.csv"], NO_OUTPUT, "no/b.csv")
case("generate: labels folder missing",
     ["generate", "mixture", "-o", "x.csv", "--labels-out", "no/l.csv"], NO_OUTPUT, "no/l.csv")
case("generate: two outputs of one name",
     ["generate", "mixture", "-o", "x.csv", "--bounds-out", "x.csv"], USAGE, "same name")
case("generate: label column in NPY", ["generate", "mixture", "-o", "x.npy", "--label-column", "c"],
     USAGE, "NPY")
case("generate: label column with a comma",
     ["generate", "mixture", "-o", "x.csv", "--label-column", "a,b"], USAGE, "--label-column")
for option, text in [("--rows", "0"), ("--rows", "-5"), ("--rows", "1e3"),
                     ("--rows", "99999999999999999999"), ("--columns", "0"),
                     ("--columns", "1000001"), ("--clusters", "0"), ("--spread", "-1"),
                     ("--spread", "nan"), ("--spread", "1e400"), ("--seed", "-1"), ("--seed", "x")]:
    case(f"generate: {option} {text}", ["generate", "mixture", "-o", "x.csv", f"{option}={text}"],
         USAGE, f"{option} wants")
case("generate: more clusters than rows",
     ["generate", "mixture", "-o", "x.csv", "--rows", "3", "--clusters", "4"], USAGE, "clusters")
case("generate: spread wider than the box", ["generate", "mixture", "-o", "x.csv", "--spread", "2"],
     USAGE, "spread")
case("generate: more than fits in memory",
     ["generate", "mixture", "-o", "x.csv", "--rows", "9007199254740992", "--columns", "1000000"],
     {USAGE, 71})
for name, text in [("of one number", "age=1"), ("without a name", "0:1"),
                   ("with an empty name", "=0:1"), ("reversed", "age=1:0"),
                   ("equal", "age=1:1"), ("with NaN", "age=nan:1"), ("with text", "age=a:b"),
                   ("empty", ""),
                   ("with an empty part", "age=0:1,,stay=0:1"), ("with a quote", '"age=0:1'),
                   ("with a very long name", "a" * 1000 + "=0:1")]:
    case(f"generate: bounds {name}", ["generate", "mixture", "-o", "x.csv", "--bounds=" + text],
         USAGE, "--bounds wants")
case("generate: bounds name a column twice",
     ["generate", "mixture", "-o", "x.csv", "--bounds", "a=0:1,b=0:1,a=0:2"], USAGE, "twice")
case("generate: bounds and columns",
     ["generate", "mixture", "-o", "x.csv", "--bounds", "a=0:1", "--columns", "2"], USAGE,
     "exclude each other")
case("generate: label column named like another",
     ["generate", "mixture", "-o", "x.csv", "--label-column", "x2"], USAGE, "--label-column")

# ---- ledgers -------------------------------------------------------------------------------------


def spoil(name, how):
    def work(folder):
        with open(folder.name(name), "rb") as file:
            content = file.read()
        with open(folder.name(name), "wb") as file:
            file.write(how(content))
    return work


def sql(name, *statements):
    def work(folder):
        base = sqlite3.connect(folder.name(name))
        for statement in statements:
            base.execute(statement)
        base.commit()
        base.close()
    return work


def damaged(name, work, *says):
    """A spoilt ledger, met by a run, by show, by history and by report."""
    for what, argv in [("kmeans", ["kmeans", "data.csv", *RUN]),
                       ("show", ["ledger", "show", "data.csv"]),
                       ("history", ["ledger", "history", "data.csv"]),
                       ("report", ["ledger", "report", "data.csv"])]:
        case(f"ledger {name}: {what}", argv, LEDGER, "data.csv.ledger", *says,
             files={"data.csv": GOOD}, ledger={"data.csv": ("4", "1e-5")}, before=work)
        CASES[-1].spoilt = True


damaged("empty", spoil("data.csv.ledger", lambda b: b""))
damaged("of text", spoil("data.csv.ledger", lambda b: b"not a ledger\n" * 100))
damaged("cut to half", spoil("data.csv.ledger", lambda b: b[:len(b) // 2]))
damaged("cut to its first page", spoil("data.csv.ledger", lambda b: b[:100]))
damaged("of zero bytes", spoil("data.csv.ledger", lambda b: bytes(len(b))))
damaged("with zeros in the middle",
        spoil("data.csv.ledger", lambda b: b[:4096] + bytes(len(b) - 4096)))
damaged("that is another SQLite file", lambda f: (os.remove(f.name("data.csv.ledger")),
                                                sql("data.csv.ledger", "create table t (x)")(f)))
damaged("that is a folder",
        lambda f: (os.remove(f.name("data.csv.ledger")), os.mkdir(f.name("data.csv.ledger"))))
damaged("that is a dangling link", lambda f: (os.remove(f.name("data.csv.ledger")),
                                             os.symlink("nowhere", f.name("data.csv.ledger"))))
damaged("of another version", sql("data.csv.ledger", "pragma user_version = 99"), "99")
damaged("with an entry changed",
        sql("data.csv.ledger", "drop trigger entries_no_update", "update entries set epsilon = 1"))
damaged("with an entry removed",
        sql("data.csv.ledger", "drop trigger entries_no_delete", "delete from entries"))
damaged("with its budget raised",
        sql("data.csv.ledger", "drop trigger meta_no_update", "update meta set epsilon = 400"))
damaged("with a second name", lambda f: os.link(f.name("data.csv.ledger"), f.name("copy")))

kmeans("named ledger missing", [*RUN, "--ledger", "no.ledger"], LEDGER, "no.ledger")
kmeans("named ledger is the data", [*RUN, "--ledger", "data.csv"], LEDGER, "data.csv")
kmeans("delta on a pure ledger", [*RUN, "--delta", "1e-6"], {USAGE, LEDGER, SPENT}, **WITH_LEDGER)
kmeans("more than the ledger has", replaced("--epsilon", "5"), SPENT, "data.csv.ledger",
       **WITH_LEDGER)
kmeans("ledger exhausted", replaced("--epsilon", "3"), SPENT, "data.csv.ledger",
       before=lambda f: f.run(["kmeans", "data.csv", *replaced("--epsilon", "3")], check=0),
       **WITH_LEDGER)
case("ledger show: missing", ["ledger", "show", "data.csv"], LEDGER, "data.csv.ledger",
     files={"data.csv": GOOD})
case("ledger history: missing", ["ledger", "history", "data.csv"], LEDGER, "data.csv.ledger")
case("ledger show: no name", ["ledger", "show"], USAGE, "name the data file")
case("ledger show: epsilon", ["ledger", "show", "data.csv", "--epsilon", "1"], USAGE,
     "never change")
case("ledger show: output folder missing", ["ledger", "show", "data.csv", "-o", "no/x"], NO_OUTPUT,
     "no/x", files={"data.csv": GOOD}, **WITH_LEDGER)
case("ledger init: no epsilon", ["ledger", "init", "data.csv"], USAGE, "--epsilon 4",
     files={"data.csv": GOOD})
case("ledger init: no file, nothing declared", ["ledger", "init", "nofile.csv", "--epsilon", "1"],
     NO_INPUT, "nofile.csv: cannot be opened")
case("ledger init: no name", ["ledger", "init", "--epsilon", "1"], USAGE, "name the data file")
case("ledger init: data missing",
     ["ledger", "init", "data.csv", "--epsilon", "1", "--bounds", "0:1"], NO_INPUT, "data.csv")
case("ledger init: folder missing",
     ["ledger", "init", "data.csv", "--ledger", "no/data.ledger", "--epsilon", "1", "--bounds",
      "0:1"], NO_OUTPUT, "no/data.ledger", files={"data.csv": GOOD})
case("ledger init: there already",
     ["ledger", "init", "data.csv", "--epsilon", "9", "--bounds", "0:1"], NO_OUTPUT,
     "data.csv.ledger", files={"data.csv": GOOD}, **WITH_LEDGER)
case("ledger init: over another file",
     ["ledger", "init", "data.csv", "--ledger", "x.ledger", "--epsilon", "9", "--bounds", "0:1"],
     NO_OUTPUT, "x.ledger", files={"data.csv": GOOD, "x.ledger": NUMBER})
case("ledger init: disk full", ["ledger", "init", "data.csv", "--epsilon", "1", "--bounds", "0:1"],
     {NO_OUTPUT, LEDGER}, "data.csv.ledger", files={"data.csv": GOOD}, file_limit=100)
case("ledger init: JSON", ["ledger", "init", "data.csv", "--epsilon", "1", "--json"], USAGE,
     files={"data.csv": GOOD})
for text in ["0", "-1", "nan", "inf", "1e400", "four"]:
    case(f"ledger init: epsilon {text}", ["ledger", "init", "data.csv", "--epsilon", text], USAGE,
         "--epsilon wants", files={"data.csv": GOOD})
for text in ["-1", "1", "nan"]:
    case(f"ledger init: delta {text}",
         ["ledger", "init", "data.csv", "--epsilon", "1", "--delta", text], USAGE, "--delta wants",
         files={"data.csv": GOOD})

# ---- models --------------------------------------------------------------------------------------


def make_model(folder):
    folder.run(["kmeans", "data.csv", *RUN, "-o", "model.json", "-q", "--insecure-test-seed", "1"],
               check=0)


def spoil_model(how):
    def work(folder):
        make_model(folder)
        spoil("model.json", how)(folder)
    return work


def model_case(name, code, *says, data=GOOD, before=make_model, argv=(), data_after=None):
    def work(folder):
        before(folder)
        if data_after is not None:
            folder.write({"data.csv": data_after})
    for command in ["predict", "evaluate"]:
        case(f"{command}: {name}", [command, "model.json", "data.csv", *argv], code, *says,
             files={"data.csv": data}, before=work)


for command in ["predict", "evaluate"]:
    case(f"{command}: model missing", [command, "model.json", "data.csv"], NO_INPUT, "model.json",
         files={"data.csv": GOOD})
    case(f"{command}: model is a folder", [command, "folder", "data.csv"], {NO_INPUT, READ, FORMAT},
         "folder", files={"data.csv": GOOD, "folder/x": b""})
    for name, content in [("empty", b""), ("text", b"hello\n"), ("an empty object", b"{}"),
                          ("a list", b"[1, 2]"), ("the data", GOOD), ("zero bytes", b"\0" * 100),
                          ("deeply nested", b"[" * 100000),
                          ("another JSON", b'{"centers": [[1, 2]], "k": 1}')]:
        case(f"{command}: model is {name}", [command, "model.json", "data.csv"], FORMAT,
             "model.json", files={"data.csv": GOOD, "model.json": content})
model_case("model cut", FORMAT, "model.json", before=spoil_model(lambda b: b[:len(b) // 2]))
model_case("model with a comma lost", FORMAT, "model.json",
           before=spoil_model(lambda b: b.replace(b",", b" ", 1)))
model_case("model of a newer format", FORMAT, "model.json",
           before=spoil_model(lambda b: b.replace(b'"format": 7', b'"format": 99')))
model_case("model with more centers than it has", FORMAT, "model.json",
           before=spoil_model(lambda b: b.replace(b'"k": 2', b'"k": 3')))
model_case("data missing", NO_INPUT, "data.csv",
           before=lambda f: (make_model(f), os.remove(f.name("data.csv"))))
model_case("data without the model's columns", {USAGE, FORMAT}, "stay",
           data_after=b"age,weight\n987654321,2\n")
model_case("data with a mistyped column", {USAGE, FORMAT}, "stay",
           data_after=b"age,stya\n987654321,2\n")
model_case("ragged data", FORMAT, "line 3", data_after=HEAD + b"1\n")
model_case("text in the data", FORMAT, "line 3", data_after=HEAD + b"1," + NAME + b"\n")
case("evaluate: data without rows", ["evaluate", "model.json", "data.csv"], FORMAT, "data.csv",
     "no row", files={"data.csv": GOOD},
     before=lambda f: (make_model(f), f.write({"data.csv": b"age,stay\n"})))
model_case("output folder missing", NO_OUTPUT, "no/x", argv=["-o", "no/x"])
model_case("output is the model", USAGE, "the input as well", argv=["-o", "model.json"])
model_case("output is the data", USAGE, "the input as well", argv=["-o", "data.csv"])
model_case("unknown label column", USAGE, "klass", argv=["--label-column", "klass"])
for command in ["predict", "evaluate"]:
    case(f"{command}: model and rows from standard input", [command, "-", "-"], USAGE, "not both")
    case(f"{command}: a model from standard input that is none", [command, "-", "data.csv"], FORMAT,
         "standard input is not a release", files={"data.csv": GOOD}, stdin=GOOD)
    case(f"{command}: an empty model from standard input", [command, "-", "data.csv"], FORMAT,
         "standard input", files={"data.csv": GOOD})
case("evaluate: truth and rows from standard input",
     ["evaluate", "model.json", "-", "--truth", "-"], USAGE, "not both")

# ---- another k, synthetic rows: from a release alone ---------------------------------------------


def make_cells(folder):
    """model.json with cells and cut.json, which has none."""
    folder.run(["generate", "mixture", "--rows", "3000", "-o", "data.csv"], check=0)
    folder.run(["kmeans", "data.csv", "-k", "5", "--epsilon", "4", "--delta", "1e-6", "--bounds",
                "0:1", "-o", "model.json", "-q", "--insecure-test-seed", "1"], check=0)
    folder.run(["recut", "model.json", "-k", "3", "-o", "cut.json", "-q"], check=0)


def free_case(name, command, code, *says, argv=(), model="model.json", before=make_cells):
    argv = argv or {"recut": ["-k", "3"], "synthesize": ["--rows", "3"]}[command]
    case(f"{command}: {name}", [command, model, *argv], code, *says, before=before)


def spoil_cells(how):
    return lambda folder: (make_cells(folder), spoil("model.json", how)(folder))


for command in ["recut", "synthesize"]:
    case(f"{command}: no words", [command], USAGE, "one model file")
    case(f"{command}: two words", [command, "a", "b"], USAGE, "too many words")
    case(f"{command}: no model", [command, "no.json", "-k" if command == "recut" else "--rows",
                                  "3"], NO_INPUT, "no.json")
    free_case("a cut release", command, USAGE, "was cut from another one", model="cut.json")
    free_case("the output is the input", command, USAGE, "the input as well",
              argv=["-k" if command == "recut" else "--rows", "3", "-o", "model.json"])
    free_case("a weight below 0", command, FORMAT, "synopsis.weights[0]",
              before=spoil_cells(lambda b: b.replace(b'"weights": [', b'"weights": [-1')))
    free_case("a cell far away", command, FORMAT, "synopsis", "as tacit wrote it",
              before=spoil_cells(lambda b: re.sub(rb'("points": \[\s*\[)[^,]*', rb"\g<1>9e9", b)))
    free_case("cells of an older format", command, FORMAT, "synopsis",
              before=spoil_cells(lambda b: b.replace(b'"format": 7', b'"format": 6')))
    case(f"{command}: an epsilon", [command, "model.json", "--epsilon", "1"], USAGE, "--epsilon")
case("report: no words", ["report"], USAGE, "one model file, or up to 24")
case("report: too many", ["report", *(["a.json"] * 25)], USAGE, "one model file, or up to 24")
case("report: standard input twice", ["report", "-", "model.json", "-"], USAGE, "not several")
case("report: no second model", ["report", "model.json", "no.json"], NO_INPUT, "no.json",
     before=make_cells)
case("report: the output is the second input", ["report", "no.json", "model.json", "-o",
     "model.json"], USAGE, "the input as well", before=make_cells)
case("ledger report: missing", ["ledger", "report", "data.csv"], LEDGER, "data.csv.ledger")
case("report: no model", ["report", "no.json"], NO_INPUT, "no.json")
case("report: an epsilon", ["report", "model.json", "--epsilon", "1"], USAGE, "--epsilon")
case("report: the output is the input", ["report", "model.json", "-o", "model.json"], USAGE,
     "the input as well", before=make_cells)
case("report: a weight below 0", ["report", "model.json"], FORMAT, "synopsis.weights[0]",
     before=spoil_cells(lambda b: b.replace(b'"weights": [', b'"weights": [-1')))
free_case("k is missing", "recut", USAGE, "-k", argv=["--median"])
free_case("k is 0", "recut", USAGE, "1 to 1000000", argv=["-k", "0"])
free_case("k is auto", "recut", USAGE, "cannot be chosen", "-k auto", argv=["-k", "auto"])
free_case("more clusters than cells", "recut", USAGE, "cells", "at most", argv=["-k", "5000"])
free_case("rows are missing", "synthesize", USAGE, "--rows", argv=["--unlabeled"])
free_case("no rows", "synthesize", USAGE, "--rows", argv=["--rows", "0"])
free_case("a whole column that is not there", "synthesize", USAGE, "'x9'", "x1",
          argv=["--rows", "3", "--whole", "x1,x9"])

# ---- two releases --------------------------------------------------------------------------------


def make_two(*argv, command="kmeans", data=None):
    """model.json as before, other.json by another command line or from other rows."""
    def work(folder):
        make_model(folder)
        if data is not None:
            folder.write({"other.csv": data})
        folder.run([command, "other.csv" if data is not None else "data.csv", *argv, "-o",
                    "other.json", "-q", "--insecure-test-seed", "2"], check=0)
    return work


def compare_case(name, code, *says, before=make_two(*RUN), argv=(), files=None):
    case(f"compare: {name}", ["compare", "model.json", "other.json", *argv], code, *says,
         files={"data.csv": GOOD, **(files or {})}, before=before)


def spoil_other(how):
    def work(folder):
        make_two(*RUN)(folder)
        spoil("other.json", how)(folder)
    return work


case("cocluster: bounds", ["cocluster", "data.csv", "--rows", "2", "--cols", "2", "--epsilon", "1",
                           "--bounds", "0:1"], USAGE, "--bounds: it is for kmeans, kmedian",
     "not for cocluster", files={"data.csv": GOOD}, never=["did you mean"])
case("generate: epsilon", ["generate", "mixture", "--epsilon", "1"], USAGE, "it is for kmeans")
case("predict: epsilon", ["predict", "a", "b", "--epsilon", "1"], USAGE, "it is for kmeans")
case("compare: no words", ["compare"], USAGE, "two releases")
case("compare: one word", ["compare", "model.json"], USAGE, "two releases")
case("compare: three words", ["compare", "a", "b", "c"], USAGE, "too many words")
case("compare: both from standard input", ["compare", "-", "-"], USAGE, "not both")
case("compare: mistyped", ["compere", "a", "b"], USAGE, "did you mean compare?")
case("compare: neither is there", ["compare", "a.json", "b.json"], NO_INPUT, "a.json")
for option in ["--epsilon", "--bounds", "--threads", "--columns"]:
    case(f"compare: option {option}", ["compare", "a.json", "b.json", option, "1"], USAGE, option)
compare_case("the second is missing", NO_INPUT, "other.json", before=make_model)
for name, content in [("empty", b""), ("text", b"hello\n"), ("an empty object", b"{}"),
                      ("the data", GOOD), ("a list", b"[]")]:
    compare_case(f"the second is {name}", FORMAT, "other.json", before=make_model,
                 files={"other.json": content})
compare_case("the second is cut", FORMAT, "other.json",
             before=spoil_other(lambda b: b[:len(b) // 2]))
compare_case("a newer format", FORMAT, "other.json", "update",
             before=spoil_other(lambda b: b.replace(b'"format": 7', b'"format": 8')))
compare_case("a spread below 0", FORMAT, "other.json", "spread",
             before=spoil_other(lambda b: b.replace(b'"spread": []',
                                                    b'"spread": [[-1, 1], [1, 1]]')))
compare_case("means with medians", USAGE, "means with means",
             before=make_two(*RUN, command="kmedian"))
compare_case("with subspaces", USAGE, "only releases of kmeans and kmedian",
             before=lambda f: (make_model(f), f.run(
                 ["subspace", "data.csv", "-k", "2", "-q", "1", "--epsilon", "1", "--radius", "100",
                  "-o", "other.json", "--quiet", "--insecure-test-seed", "2"], check=0)))
compare_case("fewer columns", USAGE, "one has 2 columns and the other 1",
             before=make_two("-k", "2", "--epsilon", "1", "--bounds", "age=0:120", "--columns",
                             "age"))
compare_case("other columns", USAGE, "no column 'stay'", "the same columns",
             before=make_two("-k", "2", "--epsilon", "1", "--bounds", "age=0:120,size=0:60",
                             data=GOOD.replace(b"stay", b"size")))
compare_case("other bounds", USAGE, "column 'age'", "other bounds",
             before=make_two("-k", "2", "--epsilon", "1", "--bounds", "age=0:100,stay=0:60"))
compare_case("another scale", USAGE, "same scale", before=make_two(*RUN, "--scale", "none"))
compare_case("a ball and a box", USAGE, "domains differ",
             before=lambda f: (make_two("-k", "2", "--epsilon", "1", "--radius", "100")(f), f.run(
                 ["kmeans", "data.csv", *RUN, "--scale", "none", "-o", "model.json", "-q",
                  "--insecure-test-seed", "1"], check=0)))
compare_case("the output is an input", USAGE, "the input as well", argv=["-o", "other.json"])
compare_case("output folder missing", NO_OUTPUT, "no/x", argv=["-o", "no/x"])
case("predict: unknown id column", ["predict", "model.json", "data.csv", "--id-column", "agee"],
     USAGE, "id column", "did you mean 'age'?", files={"data.csv": GOOD}, before=make_model)
case("predict: an id column of NPY", ["predict", "model.json", "x.npy", "--id-column", "c1"], USAGE,
     "id column", files={"data.csv": GOOD},
     before=lambda f: (make_model(f), f.run(["generate", "mixture", "-o", "x.npy"], check=0)))
case("predict: ids and labels",
     ["predict", "model.json", "who.csv", "--id-column", "who", "--label-column", "age"], USAGE,
     "exclude each other", files={"data.csv": GOOD, "who.csv": PEOPLE}, before=make_model)
case("evaluate: restarts -1", ["evaluate", "m.json", "d.csv", "--restarts", "-1"], USAGE,
     "--restarts wants")
case("evaluate: restarts text", ["evaluate", "m.json", "d.csv", "--restarts", "ten"], USAGE,
     "--restarts wants")
case("predict: epsilon", ["predict", "m.json", "d.csv", "--epsilon", "1"], USAGE,
     "unknown option --epsilon")

# ---- plan ----------------------------------------------------------------------------------------

PLAN = ["plan", "kmeans", "-k", "2", "--epsilon", "1", "--bounds", "0:1"]
case("plan: no number of rows", [*PLAN, "--dimensions", "2"], USAGE, "--rows-about")
case("plan: no columns", [*PLAN, "--rows-about", "1000"], USAGE, "--dimensions")
case("plan: file and dimensions",
     ["plan", "kmeans", "data.csv", *PLAN[2:], "--rows-about", "9", "--dimensions", "2"], USAGE,
     "--dimensions", files={"data.csv": GOOD})
case("plan: file missing", ["plan", "kmeans", "no.csv", *PLAN[2:], "--rows-about", "9"], NO_INPUT,
     "no.csv")
case("plan: no epsilon", ["plan", "kmeans", "-k", "2", "--bounds", "0:1", "--rows-about", "9",
                          "--dimensions", "2"], USAGE, "--epsilon")
case("plan: no bounds", ["plan", "kmeans", "-k", "2", "--epsilon", "1", "--rows-about", "9",
                         "--dimensions", "2"], USAGE, "--bounds")
case("plan: ledger", [*PLAN, "--rows-about", "9", "--dimensions", "2", "--ledger", "x"], USAGE,
     "unknown option --ledger")
for text in ["0", "-5", "nan", "1e400", "lots"]:
    case(f"plan: rows about {text}", [*PLAN, "--dimensions", "2", "--rows-about", text], USAGE,
         "--rows-about wants")
for text in ["0", "-1", "1.5", "2147483648"]:
    case(f"plan: {text} dimensions", [*PLAN, "--rows-about", "9", "--dimensions", text], USAGE,
         "--dimensions wants")
PERSONS = [*PLAN, "--rows-about", "900", "--dimensions", "2", "--unit-column", "who"]
for text in ["0", "-4", "0.99", "1001", "1e400", "nan", "some", ""]:
    case(f"plan: '{text}' rows per person", [*PERSONS, "--rows-per-person", text], USAGE,
         "--rows-per-person wants")
case("plan: rows per person of nobody", [*PERSONS[:-2], "--rows-per-person", "4"], USAGE,
     "--unit-column")
case("plan: rows per person and a limit",
     [*PERSONS, "--rows-per-person", "4", "--max-rows-per-person", "2"], USAGE,
     "--max-rows-per-person", "given already")
case("plan: a person without a name", [*PERSONS[:-1], ""], USAGE, "--unit-column wants")
case("plan: unknown unit column",
     ["plan", "kmeans", "data.csv", *RUN, "--rows-about", "900", "--unit-column", "name"], USAGE,
     "'name'", files={"data.csv": PEOPLE})
case("plan: a limit without unit column", [*PERSONS[:-2], "--max-rows-per-person", "2"], USAGE,
     "--unit-column")
for family in ["kmeans", "kmedian"]:
    case(f"{family}: rows per person",
         [family, "data.csv", *RUN, "--unit-column", "who", "--rows-per-person", "4"], USAGE,
         "--rows-per-person", files={"data.csv": PEOPLE})
case("ledger init: rows per person", ["ledger", "init", "data.csv", "--epsilon", "1",
                                      "--unit-column", "who", "--rows-per-person", "4"], USAGE,
     "--rows-per-person", files={"data.csv": PEOPLE})
case("plan: rows per person beside a declared limit",
     ["plan", "kmeans", "data.csv", "-k", "2", "--epsilon", "1", "--rows-about", "900",
      "--rows-per-person", "4"], USAGE, "given already", files={"data.csv": PEOPLE},
     ledger={"data.csv.ledger": ("4", "0")},
     declare=["--unit-column", "who", "--max-rows-per-person", "2", "--bounds",
              "age=0:120,stay=0:60"])
case("plan: output folder missing", [*PLAN, "--rows-about", "9", "--dimensions", "2", "-o", "no/x"],
     NO_OUTPUT, "no/x")

# ---- subspaces -----------------------------------------------------------------------------------

WIDE = b"a,b,c\n" + b"".join(b"%d,%d,%d\n" % (i % 7, i % 5 - 2, i % 11 - 5)
                             for i in range(200)) + NUMBER + b",3,1\n"
FLAT = ["-k", "2", "-q", "1", "--epsilon", "1", "--delta", "1e-6", "--radius", "10"]
PLAIN_FLAT = ["-k", "2", "-q", "1", "--radius", "10", "--not-private"]


def subspace(name, argv, code, *says, **more):
    more.setdefault("files", {"data.csv": WIDE})
    case("subspace: " + name, ["subspace", "data.csv", *argv], code, *says, **more)


case("mistyped subspace", ["subspaces", "data.csv"], USAGE, "did you mean subspace?")
case("subspace: no file", ["subspace", *FLAT], USAGE, "a data file, or several", "tacit subspace")
subspace("nothing but a file", [], USAGE, "-k and -q", "--epsilon", "--radius")
subspace("no k", without("-k", FLAT), USAGE, "-k 3")
subspace("no q", without("-q", FLAT), USAGE, "-q 2", "auto")
subspace("no epsilon", without("--epsilon", FLAT), USAGE, "no privacy budget was given")
subspace("no domain", without("--radius", FLAT), USAGE, "--radius", "never take it from the rows")
for text in ["0", "-1", "1001", "2.5", "two", "", "nan", "AUTO"]:
    subspace(f"k {text!r}", ["-k", text, *FLAT[2:]], USAGE,
             "-k wants a whole number from 1 to 1000")
    subspace(f"q {text!r}", ["-q", "0" if text == "1001" else text, *without("-q", FLAT)], USAGE,
             "-q wants a whole number")
for option, text in [("--rounds", "0"), ("--rounds", "1000001"), ("--solver", "kmeans"),
                     ("--solver", ""), ("--parts", "0"), ("--parts", "many"), ("--start", "ssc"),
                     ("--chains", "0"), ("--restarts", "0"), ("--seed", "-1"), ("--k-max", "0"),
                     ("--k-max", "65"), ("--q-max", "0"), ("--method", "spectral"),
                     ("--method", "lloyd")]:
    subspace(f"{option} {text!r}", [*FLAT, f"{option}={text}"], USAGE, f"{option} wants")
subspace("near miss of a solver", [*PLAIN_FLAT, "--solver", "tsc-simpel"], USAGE,
         "did you mean tsc-simple?")
subspace("near miss of a start", [*FLAT, "--start", "solvr"], USAGE, "did you mean solver?")
subspace("quiet by its letter", [*FLAT, "-q"], USAGE, "-q has no value")
subspace("q twice", [*FLAT, "--dimension", "2"], USAGE, "given twice")
subspace("clusters", [*FLAT, "--clusters", "2"], USAGE, "unknown option --clusters")
subspace("sparsity", [*FLAT, "--sparsity", "2"], USAGE, "unknown option --sparsity")
subspace("epsilon of a plain solver", [*PLAIN_FLAT, "--epsilon", "1"], USAGE, "--not-private",
         "no budget")
subspace("method of a plain solver", [*PLAIN_FLAT, "--method", "auto"], USAGE, "--not-private",
         "--solver")
subspace("ledger of a plain solver", [*PLAIN_FLAT, "--ledger", "x.ledger"], USAGE, "--not-private")
for method, delta in [("bingham", "0"), ("bingham", "1e-6"), ("gibbs", "0")]:
    subspace(f"{method} on a ledger, delta {delta}",
             [*(without("--delta", FLAT) if delta == "0" else FLAT), "--method", method], USAGE,
             f"method {method} has no price on a ledger", "in real arithmetic only",
             "take method auto or sulq+",
             ledger={"data.csv": ("4", "0" if delta == "0" else "1e-5")})
subspace("k chosen by a plain solver", ["-k", "auto", *PLAIN_FLAT[2:]], USAGE, "cannot choose")
subspace("restarts of a private run", [*FLAT, "--restarts", "3"], USAGE, "--restarts",
         "--not-private")
subspace("seed of a private run", [*FLAT, "--seed", "3"], USAGE, "--seed", "--not-private")
subspace("parts of another method", [*FLAT, "--parts", "3"], USAGE, "--parts", "sample-aggregate")
subspace("overlapping parts of another method", [*FLAT, "--overlapping-parts"], USAGE,
         "--overlapping-parts", "sample-aggregate")
subspace("start of another method", [*FLAT, "--start", "solver"], USAGE, "--start",
         "--method gibbs")
subspace("chains of another method", [*FLAT, "--chains", "3"], USAGE, "--chains", "--method gibbs")
subspace("labels of another method", [*FLAT, "--labels"], USAGE, "--labels", "--method gibbs")
subspace("labels of persons", [*FLAT, "--method", "gibbs", "--neighbors", "replace", "--labels",
                               "--unit-column", "x", "--max-rows-per-person", "1"], USAGE,
         "--labels", "--unit-column")
subspace("solver of another method", [*FLAT, "--solver", "ssc"], USAGE, "--solver",
         "sample-aggregate", "--not-private")
subspace("k max without k auto", [*FLAT, "--k-max", "3"], USAGE, "-k auto")
subspace("q max without q auto", [*FLAT, "--q-max", "3"], USAGE, "-q auto")
subspace("a dimension of all columns", ["-k", "2", "-q", "3", *FLAT[4:]], USAGE, "q, the dimension",
         "between 1 and 2")
subspace("one column", [*FLAT, "--columns", "a"], USAGE, "at least two columns")
subspace("plain, a dimension of all columns", ["-k", "2", "-q", "3", *PLAIN_FLAT[4:]], USAGE,
         "between 1 and 2")
subspace("plain, one column", [*PLAIN_FLAT, "--columns", "a"], USAGE, "columns")
subspace("a ball elsewhere", [*FLAT, "--center", "1"], USAGE, "pass through the origin", "affine")
subspace("plain, a ball elsewhere", [*PLAIN_FLAT, "--center", "1"], USAGE, "origin")
subspace("unknown column", [*FLAT, "--columns", "a,d"], USAGE, "d")
subspace("text in a column", FLAT, FORMAT, "line 3",
         files={"data.csv": b"a,b\n1,2\n1," + NAME + b"\n"})
subspace("plain, text in a column", PLAIN_FLAT, FORMAT, "line 3",
         files={"data.csv": b"a,b\n1,2\n1," + NAME + b"\n"})
subspace("plain, no rows", PLAIN_FLAT, FORMAT, "no row", files={"data.csv": b"a,b\n"})
subspace("output folder missing", [*FLAT, "-o", "no/x.json"], NO_OUTPUT, "no/x.json")
subspace("plain, output folder missing", [*PLAIN_FLAT, "-o", "no/x.json"], NO_OUTPUT, "no/x.json")
subspace("plain, output is the data", [*PLAIN_FLAT, "-o", "data.csv"], USAGE, "the input as well")
subspace("no file of that name", FLAT, NO_INPUT, "data.csv", files={})

PLAN_FLAT = ["plan", "subspace", "-k", "2", "-q", "1", "--epsilon", "1", "--delta", "1e-6",
             "--radius", "1"]
case("plan subspace: no rows", [*PLAN_FLAT, "--dimensions", "3"], USAGE, "--rows-about")
case("plan subspace: no columns", [*PLAN_FLAT, "--rows-about", "9"], USAGE, "--dimensions")
case("plan subspace: no q", [*without("-q", PLAN_FLAT), "--rows-about", "9", "--dimensions", "3"],
     USAGE, "-q 2")
case("plan subspace: mistyped", ["plan", "subspase", *PLAN_FLAT[2:]], USAGE,
     "did you mean tacit plan subspace?")
case("plan subspace: not private", [*PLAN_FLAT, "--not-private"], USAGE,
     "unknown option --not-private")
case("plan subspace: unknown method", [*PLAN_FLAT, "--method", "lloyd"], USAGE, "--method wants",
     "tacit subspace --list-methods")
case("help of an unknown object", ["help", "plan", "spectral"], USAGE, "one command")

case("generate: mistyped subspaces", ["generate", "subspace", "--dimension", "2"], USAGE,
     "did you mean subspaces?")
case("generate subspaces: a dimension of all columns",
     ["generate", "subspaces", "--columns", "3", "--dimension", "3"], USAGE,
     "--dimension must be below --columns")
case("generate subspaces: one column", ["generate", "subspaces", "--columns", "1"], USAGE,
     "--columns wants")
case("generate subspaces: more subspaces than rows", ["generate", "subspaces", "--rows", "2"],
     USAGE, "subspaces must not be above rows")
case("generate subspaces: noise", ["generate", "subspaces", "--noise", "-1"], USAGE,
     "--noise wants")
case("generate subspaces: spread", ["generate", "subspaces", "--spread", "0.1"], USAGE,
     "unknown option --spread")
case("generate subspaces: bounds", ["generate", "subspaces", "--bounds", "0:1"], USAGE,
     "unknown option --bounds")
case("generate subspaces: truth nowhere", ["generate", "subspaces", "--truth-out", "no/t.json"],
     NO_OUTPUT, "no/t.json")
case("generate subspaces: one name twice",
     ["generate", "subspaces", "-o", "x.csv", "--truth-out", "x.csv"], USAGE, "same name")
case("generate subspaces: label column of a column",
     ["generate", "subspaces", "--label-column", "c2"], USAGE, "another column")
case("generate mixture: dimension", ["generate", "mixture", "--dimension", "2"], USAGE,
     "unknown option --dimension")


def two_models(folder):
    """A model of subspaces, rows for it, one of other columns and one of centers."""
    folder.run(["generate", "subspaces", "--rows", "50", "--columns", "3", "-q", "1", "-k", "2",
                "-o", "x.csv", "--truth-out", "m.json"])
    folder.run(["generate", "subspaces", "--rows", "50", "--columns", "4", "-q", "1", "-k", "2",
                "-o", "y.csv", "--truth-out", "wide.json"])
    folder.run(["generate", "subspaces", "--rows", "50", "--columns", "3", "-q", "1", "-k", "3",
                "-o", "z.csv", "--truth-out", "three.json"])
    folder.run(["kmeans", "x.csv", "-k", "2", "--epsilon", "1", "--bounds", "-1:1", "-o",
                "centers.json", "-q"])


for name, code, model, truth, words in [
        ("truth of other columns", USAGE, "m.json", "wide.json", ["3 and 4 columns"]),
        ("truth of centers", USAGE, "m.json", "centers.json", ["family subspace"]),
        ("centers against a truth", USAGE, "centers.json", "m.json", ["drop --truth"]),
        ("truth that is the rows", FORMAT, "m.json", "x.csv", ["x.csv"]),
        ("no truth", NO_INPUT, "m.json", "nothing.json", ["nothing.json"])]:
    case("evaluate: " + name, ["evaluate", model, "x.csv", "--truth", truth], code, *words,
         before=two_models)
case("evaluate: centers to be diagnosed", ["evaluate", "centers.json", "x.csv", "--diagnose"],
     USAGE, "drop --diagnose", before=two_models)
case("evaluate: other columns to be diagnosed",
     ["evaluate", "m.json", "x.csv", "--diagnose", "--columns", "c1,c3,c2"], USAGE,
     "drop --columns", before=two_models)
case("evaluate: subspaces on other columns", ["evaluate", "wide.json", "x.csv"], USAGE, "c4",
     before=two_models)


# ---- co-clustering -------------------------------------------------------------------------------

TABLE = b"row,col,count\n" + b"".join(b"%d,%d,%d\n" % (i // 3, i * 7 % 11, 1 + i % 4)
                                      for i in range(300)) + b"100,3,98765\n"
WHOSE = (b"who,row,col,count\n" +
         b"".join(b"p%d,%d,%d,1\n" % (i // 9, i // 3, i * 7 % 11) for i in range(300)))
BLOCKS = ["--rows", "2", "--cols", "2", "--epsilon", "1", "--delta", "1e-6", "--shape", "x11"]
ENTRY = ["--rows", "2", "--cols", "2", "--epsilon", "1", "--unit", "entry", "--shape", "101x11"]
PLAIN_BLOCKS = ["--rows", "2", "--cols", "2", "--not-private"]


def cocluster(name, argv, code, *says, **more):
    more.setdefault("files", {"data.csv": TABLE})
    case("cocluster: " + name, ["cocluster", "data.csv", *argv], code, *says, **more)


cocluster("picture is the ledger", [*BLOCKS, "--picture", "data.csv.ledger"], USAGE,
          "never written over", ledger={"data.csv": ("4", "1e-3")})
case("mistyped cocluster", ["coclsuter", "data.csv"], USAGE, "did you mean cocluster?")
case("cocluster: no file", ["cocluster", *BLOCKS], USAGE, "a data file, or several",
     "tacit cocluster")
cocluster("nothing but a file", [], USAGE, "--rows 6 --cols 6", "--epsilon")
cocluster("letter of other commands", ["-k", "3"], USAGE, "unknown option -k: it is for kmeans, ",
          "not for cocluster")
cocluster("... with two dashes", ["--k", "3"], USAGE, "unknown option -k: it is for kmeans, ")
cocluster("no rows", without("--rows", BLOCKS), USAGE, "--rows 6")
cocluster("no cols", without("--cols", BLOCKS), USAGE, "--cols 6")
cocluster("no epsilon", without("--epsilon", BLOCKS), USAGE, "no privacy budget was given")
for text in ["0", "-1", "1001", "2.5", "Auto", ""]:
    cocluster(f"rows {text!r}", [*without("--rows", BLOCKS), "--rows=" + text], USAGE,
              "--rows wants a whole number from 1 to 1000")
    cocluster(f"cols {text!r}", [*without("--cols", BLOCKS), "--cols=" + text], USAGE,
              "--cols wants a whole number from 1 to 1000")
for text in ["", "11", "x", "101x", "x0", "0x11", "-1x11", "101x11x1", "axb", "101*11", "x16777217",
             "x99999999999999999999", "1e2x11"]:
    cocluster(f"shape {text!r}", [*without("--shape", BLOCKS), "--shape=" + text], USAGE,
              "--shape wants", "x4303")
for option, text in [("--unit", "customer"), ("--unit", ""), ("--row-labels", "1"),
                     ("--row-labels", "-0.1"), ("--row-labels", "all"), ("--least-z", "-1"),
                     ("--least-z", "101"), ("--rounds", "0"), ("--rounds", "1001"),
                     ("--method", "agglomerative")]:
    cocluster(f"{option} {text!r}", [*ENTRY[:6], f"{option}={text}"], USAGE, f"{option} wants")
cocluster("near miss of a unit", [*BLOCKS, "--unit", "persons"], USAGE, "did you mean person?")
cocluster("near miss of a method", [*ENTRY, "--method", "dp-tauc"], USAGE, "did you mean dp-taucc?",
          "tacit cocluster --list-methods")
cocluster("columns for cols", [*without("--cols", BLOCKS), "--col", "2"], USAGE,
          "did you mean --cols?")
cocluster("mistyped shape", [*without("--shape", BLOCKS), "--shap", "x11"], USAGE,
          "did you mean --shape?")
cocluster("k", [*BLOCKS, "-k", "2"], USAGE, "unknown option -k")
cocluster("bounds", [*BLOCKS, "--bounds", "0:1"], USAGE, "unknown option --bounds")
cocluster("persons without a column", [*BLOCKS, "--unit", "person"], USAGE, "--unit-column")
cocluster("entries of persons", [*ENTRY, "--unit-column", "who", "--max-rows-per-person", "2"],
          USAGE, "--unit person", files={"data.csv": WHOSE})
cocluster("rows of persons",
          [*BLOCKS, "--unit", "row", "--unit-column", "who", "--max-rows-per-person", "2"], USAGE,
          "--unit person", files={"data.csv": WHOSE})
cocluster("a limit without a column", [*BLOCKS, "--max-rows-per-person", "2"], USAGE,
          "--unit-column")
cocluster("neighbors of entries", [*ENTRY, "--neighbors", "replace"], USAGE, "--neighbors",
          "--unit entry")
cocluster("labels of whole rows", [*BLOCKS, "--row-labels", "0.2"], USAGE, "--row-labels",
          "--unit entry", "tacit predict")
cocluster("least z of entries", [*ENTRY, "--least-z", "1"], USAGE, "--least-z")
cocluster("rounds of auto", [*ENTRY, "--rounds", "3"], USAGE, "--rounds", "--method dp-taucc")
cocluster("dp-taucc of whole rows", [*BLOCKS, "--method", "dp-taucc"], USAGE, "--unit entry",
          ledger={"data.csv": ("4", "1e-5")})
for name, argv in [("rows", ["--rows", "auto", "--cols", "2"]),
                   ("cols", ["--rows", "2", "--cols", "auto"])]:
    for other, more in [("entries", ENTRY[4:]), ("a plain run", ["--not-private"]),
                        ("method nmf", [*BLOCKS[4:], "--method", "nmf"])]:
        cocluster(f"{name} auto of {other}", [*argv, *more], USAGE, "--rows auto", "method auto",
                  "give both numbers")
    cocluster(f"{name} auto with delta 0", [*argv, *without("--delta", BLOCKS[4:])], USAGE,
              "delta above 0", "give both numbers", ledger={"data.csv": ("4", "1e-5")})
cocluster("epsilon of a plain run", [*PLAIN_BLOCKS, "--epsilon", "1"], USAGE, "--not-private",
          "no budget")
cocluster("unit of a plain run", [*PLAIN_BLOCKS, "--unit", "entry"], USAGE, "--not-private")
cocluster("restarts of a private run", [*BLOCKS, "--restarts", "3"], USAGE, "--restarts",
          "--not-private")
cocluster("seed of a private run", [*BLOCKS, "--seed", "3"], USAGE, "--seed", "--not-private")
cocluster("more column clusters than columns", ["--rows", "2", "--cols", "12", *BLOCKS[4:]], USAGE,
          "11 columns", "12 clusters", ledger={"data.csv": ("4", "1e-5")})
cocluster("whole rows on a ledger of entries", [*BLOCKS, "--unit", "row"], DECLARED, "--unit",
          "entry", ledger={"data.csv": ("4", "1e-5")},
          declare=["--unit", "entry", "--shape", "101x11"])
cocluster("entries on a ledger of rows", ENTRY, DECLARED, "--unit", "add-remove",
          ledger={"data.csv": ("4", "0")}, declare=["--shape", "x11"])
case("cocluster: what is no count", ["cocluster", "data.csv", *ENTRY[:-2], "--format", "csv"],
     FORMAT, "data.csv", files={"data.csv": b"a,b\n1,2\n1,0.5\n2,2\n"})
case("cocluster: below 0", ["cocluster", "data.csv", *ENTRY[:-2], "--format", "csv"], FORMAT,
     "data.csv", files={"data.csv": b"a,b\n1,2\n1,-3\n2,2\n"})
case("cocluster: text", ["cocluster", "data.csv", *ENTRY[:-2], "--format", "csv"], FORMAT, "line 3",
     files={"data.csv": b"a,b\n1,2\n1," + NAME + b"\n"})
for listed in [b"patient,drug,times\n", b"patient,drug\n"]:
    cocluster(f"a list under other names, {listed}", BLOCKS[:-2], USAGE, "--row-column",
              "--format csv", "patient, drug", files={"data.csv": listed + b"1,2,3\n" * 9})
cocluster("a list under other names, with an owner",
          [*BLOCKS[:-2], "--unit-column", "who", "--max-rows-per-person", "2"], USAGE,
          "--row-column", files={"data.csv": b"visit,drug,times,who\n1,2,3,4\n"})
cocluster("a plain list under other names", PLAIN_BLOCKS, USAGE, "--row-column",
          files={"data.csv": b"visit,drug,times\n1,2,3\n"})
cocluster("a list under other names, with a shape", BLOCKS, USAGE, "row, col and count",
          files={"data.csv": b"a,b,c\n1,2,3\n"})
cocluster("a list under other names, told", [*BLOCKS, "--format", "triplets"], FORMAT, "rename",
          files={"data.csv": b"a,b,c\n1,2,3\n"})
case("cocluster: a list from standard input", ["cocluster", "-", *BLOCKS[:-2]], USAGE,
     "--row-column", stdin=b"a,b,c\n1,2,3\n")
case("plan cocluster: a list under other names",
     ["plan", "cocluster", "data.csv", *BLOCKS[:-2], "--rows-about", "900"], USAGE,
     "--row-column", files={"data.csv": b"visit,drug,times\n1,2,3\n"})
cocluster("no file of that name", BLOCKS, NO_INPUT, "data.csv", files={})
cocluster("picture in a missing folder", [*BLOCKS, "--picture", "no/x.svg"], NO_OUTPUT, "no/x.svg",
          ledger={"data.csv": ("4", "1e-5")})
cocluster("picture over the data", [*BLOCKS, "--picture", "data.csv"], USAGE, "the input as well")
cocluster("vocabulary missing", [*without("--shape", BLOCKS), "--vocabulary", "words.txt"],
          NO_INPUT, "words.txt")
cocluster("the data as its vocabulary", [*without("--shape", BLOCKS), "--vocabulary", "data.csv"],
          USAGE, "is a data set")
case("cocluster: rows from standard input as their vocabulary",
     ["cocluster", "-", *without("--shape", BLOCKS), "--format", "triplets", "--vocabulary",
      "/dev/stdin"], USAGE, "is a data set", stdin=TABLE)
cocluster("other data as the vocabulary",
          [*without("--shape", BLOCKS), "--vocabulary", "people.csv"], USAGE, "is a data set",
          files={"data.csv": TABLE, "people.csv": b"name,age\nann,33\n"},
          ledger={"people.csv": ("4", "0")}, declare=["--bounds", "age=0:120"])
PLAN_BLOCKS = ["plan", "cocluster", "--rows", "2", "--cols", "2", "--epsilon", "1", "--delta",
               "1e-6"]
case("plan cocluster: no rows", [*PLAN_BLOCKS, "--dimensions", "30"], USAGE, "--rows-about")
case("plan cocluster: a shape without rows", [*PLAN_BLOCKS, "--shape", "x30"], USAGE,
     "--rows-about", "--shape ROWSxCOLUMNS")
case("plan cocluster: no columns", [*PLAN_BLOCKS, "--rows-about", "900"], USAGE, "--dimensions")
case("plan cocluster: mistyped", ["plan", "coclustr", *PLAN_BLOCKS[2:]], USAGE,
     "did you mean tacit plan cocluster?")
case("plan cocluster: not private", [*PLAN_BLOCKS, "--not-private"], USAGE,
     "unknown option --not-private")
case("generate: mistyped counts", ["generate", "count"], USAGE, "did you mean counts?")
case("generate counts: more clusters than columns",
     ["generate", "counts", "--columns", "3", "--col-clusters", "4"], USAGE, "column clusters")
case("generate counts: contrast", ["generate", "counts", "--contrast", "2"], USAGE,
     "--contrast wants")
case("ledger: persons without a column",
     ["ledger", "init", "data.csv", "--epsilon", "1", "--unit", "person"], USAGE, "--unit-column",
     files={"data.csv": TABLE})
case("ledger: neighbors of entries",
     ["ledger", "init", "data.csv", "--epsilon", "1", "--unit", "entry", "--neighbors", "replace"],
     USAGE, "--neighbors", files={"data.csv": TABLE})


def with_blocks(argv):
    return lambda f: f.run(["cocluster", "data.csv", *argv, "-q", "-o", "model.json"], check=0)


for name, text, says in [("missing", None, ["classes.csv"]),
                         ("too few", b"label\n1\n2\n", ["2 classes", "101 rows"]),
                         ("several columns", b"a,b\n1,2\n", ["label"]),
                         ("zero bytes", b"1\n\0\n", ["text"])]:
    case(f"evaluate: labels {name}",
         ["evaluate", "model.json", "data.csv", "--labels", "classes.csv", "--shape", "101x11"],
         NO_INPUT if text is None else FORMAT, *says,
         files={"data.csv": TABLE, **({} if text is None else {"classes.csv": text})},
         before=with_blocks(ENTRY))
case("evaluate: labels twice",
     ["evaluate", "model.json", "data.csv", "--labels", "x.csv", "--label-column", "y"], USAGE,
     files={"data.csv": TABLE, "x.csv": b"1\n"}, before=with_blocks(ENTRY))
case("predict: other columns", ["predict", "model.json", "other.csv"], USAGE, "col0",
     files={"data.csv": TABLE, "other.csv": b"u,v\n1,2\n"}, before=with_blocks(ENTRY))
case("predict: a shape for centers", ["predict", "model.json", "data.csv", "--shape", "x2"], USAGE,
     "--shape", files={"data.csv": GOOD},
     before=lambda f: f.run(["kmeans", "data.csv", *RUN, "-q", "-o", "model.json"], check=0))


# ---- how files are written -----------------------------------------------------------------------

def changed(*pairs):
    text = GOOD
    for old, new in pairs:
        text = text.replace(old, new)
    return text


EUROPE = changed((b",", b";"), (b"\n20;", b"\n20,5;"))
PACKED = gzip.compress(GOOD)

for name, value in [("a letter", "a"), ("a digit", "5"), ("a quote", '"'), ("a point", "."),
                    ("a minus", "-"), ("an underscore", "_")]:
    kmeans(f"delimiter is {name}", [*RUN, "--delimiter=" + value], USAGE, "delimiter must")
for name, option, value, says in [
        ("two marks", "--delimiter", "||", "--delimiter wants one mark"),
        ("nothing", "--delimiter", "", "--delimiter wants one mark"),
        ("a word", "--decimal", "comma", "--decimal wants one mark"),
        ("a semicolon", "--decimal", ";", "decimal must be a point or a comma"),
        ("a digit", "--thousands", "0", "thousands must be"),
        ("the decimal mark", "--thousands", ".", "two ways"),
        ("a word", "--skip-lines", "title", "--skip-lines wants"),
        ("below 0", "--skip-lines", "-1", "--skip-lines wants"),
        ("beyond all titles", "--skip-lines", "10001", "--skip-lines wants"),
        ("a fraction", "--skip-lines", "1.5", "--skip-lines wants")]:
    kmeans(f"{option} is {name}", [*RUN, f"{option}={value}"], USAGE, says)
kmeans("delimiter and decimal are one", [*RUN, "--delimiter", ",", "--decimal", ","], USAGE,
       "same mark", "semicolon")
kmeans("a delimiter of tsv", [*RUN, "--format", "tsv", "--delimiter", ";"], USAGE, "a tab",
       "drop delimiter")
for option in ["--delimiter=;", "--decimal=,", "--thousands=,", "--skip-lines=1"]:
    case(f"kmeans: {option} of an array", ["kmeans", "data.npy", *PLAIN, option], USAGE,
         "are for CSV", files={"data.npy": b"\x93NUMPY"})
kmeans("semicolons untold", RUN, FORMAT, "--delimiter ';'", files={"data.csv": EUROPE})
kmeans("bars untold", RUN, FORMAT, "--delimiter '|'", files={"data.csv": changed((b",", b"|"))})
kmeans("decimal commas untold", [*RUN, "--delimiter", ";"], FORMAT, "line 2", "'age'",
       files={"data.csv": EUROPE})
kmeans("points beside decimal commas", [*RUN, "--decimal", ","], FORMAT, "'stay'",
       files={"data.csv": b"age;stay\n1,5;2.5\n" + NUMBER + b";1\n"})
kmeans("groups untold", RUN, FORMAT, "'age'",
       files={"data.csv": b'age,stay\n"1,234",2\n' + NUMBER + b",1\n"})
kmeans("groups of two digits", [*RUN, "--thousands", ","], FORMAT, "'age'", "line 2",
       files={"data.csv": b'age,stay\n"12,34",2\n' + NUMBER + b",1\n"})
kmeans("groups without quotes", [*RUN, "--thousands", ","], FORMAT, "more cells",
       files={"data.csv": b"age,stay\n1,234,2\n" + NUMBER + b",1\n"})
kmeans("a title", [*PLAIN, "--columns", "age"], USAGE, "Our patients", "--skip-lines",
       files={"data.csv": b"Our patients\n" + GOOD})
kmeans("a title above a table", [*PLAIN], FORMAT, "line 2",
       files={"data.csv": b"Our patients\n" + GOOD})
kmeans("a title above numbers", [*PLAIN], FORMAT, "--skip-lines", "one name",
       files={"data.csv": b"Our patients\n1,2\n" + NUMBER + b",1\n"})
kmeans("a title with commas", [*PLAIN], FORMAT, "name 2", "--skip-lines",
       files={"data.csv": b"Our patients,,\n" + GOOD})
kmeans("a blank line above", [*PLAIN], FORMAT, "--skip-lines", files={"data.csv": b"\n" + GOOD})
kmeans("everything skipped", [*RUN, "--skip-lines", "9999"], FORMAT, "9999 skipped lines")
# somebody's row for a header, whichever marks its numbers and dates have
for what, row, dialect in [
        ("decimal commas", b"1,5;" + NUMBER + b",5", ["--decimal", ","]),
        ("decimal commas that nobody declared", b"1,5;" + NUMBER + b",5", ["--delimiter", ";"]),
        ("groups of digits", b'"1,234","987,654,321"', ["--thousands", ","]),
        ("groups that nobody declared", b"x;1.234;" + NUMBER, ["--delimiter", ";"]),
        ("a date", b"north,1990-12-31," + NAME, []),
        ("a date of another country", b"north,31.12.1990," + NAME, []),
        ("a date with slashes", b"north,12/31/1990," + NAME, []),
        ("a time of day", b"north,12:30," + NAME, [])]:
    kmeans(f"a row with {what} for a header", [*PLAIN, *dialect], FORMAT, "line 1 holds a number",
           "header line", files={"data.csv": row + b"\n" + row + b"\n"})
kmeans("a row of categories for a header", [*PLAIN, "--categories", f"2=x|{NAME.decode()}"], FORMAT,
       "column 2", "header line", files={"data.csv": b"place," + NAME + b"\nplace,x\n"})
kmeans("a column with a transform and no bounds", ["-k", "2", "--epsilon", "1", "--bounds",
       "age=0:120", "--transform", "stay=sqrt"], USAGE, "leave out the column 'stay'")
kmeans("a column with a weight and no bounds", ["-k", "2", "--epsilon", "1", "--bounds",
       "age=0:120", "--weights", "stay=2"], USAGE, "leave out the column 'stay'")
kmeans("categories with commas between", [*RUN, "--categories", "stay=a,b"], USAGE, "'b'",
       "one|another")
kmeans("one category", ["-k", "2", "--epsilon", "1", "--bounds", "age=0:120", "--categories",
       "stay=bool"], USAGE, "stay", "boolean")
kmeans("a comma in a name of bounds", ["-k", "2", "--epsilon", "1", "--bounds", '"a,b"=0:1'], USAGE,
       "quote its part")
kmeans("bounds that are dates of another country", ["-k", "2", "--epsilon", "1", "--bounds",
       "age=01.02.1990:31.12.2020"], USAGE, "1990-01-01:2029-12-31")
kmeans("a word in a column of numbers", RUN, FORMAT, "--categories", "--na", "--thousands",
       files={"data.csv": b"age,stay\n1,2\n" + NAME + b",3\n"})
kmeans("control characters in a word for a missing value", [*RUN, "--na", "a\tb"], USAGE,
       "control characters")
kmeans("the header skipped", [*RUN, "--skip-lines", "1"], FORMAT, "line 2 holds a number")
kmeans("a column that is not there", [*PLAIN, "--columns", "weight"], USAGE, "'weight'",
       "age, stay")
kmeans("a column number that is not there", [*PLAIN, "--columns", "3"], USAGE, "'3'", "age, stay")
kmeans("many columns, none of them", [*PLAIN, "--columns", "zz"], USAGE, "c0, c1", "and 28 more",
       files={"data.csv": b",".join(b"c%d" % i for i in range(40)) + b"\n"})
case("kmeans: a label number beyond", ["kmeans", "data.csv", *PLAIN, "--label-column", "9"], USAGE,
     "label column", "who, age, stay", files={"data.csv": PEOPLE})
for name, bytes_, says in [("cut short", PACKED[:-9], "cut short"),
                           ("damaged", PACKED[:40] + b"\xff\x00" * 20 + PACKED[80:], "gzip data"),
                           ("followed", PACKED + b"x" + NUMBER, "follows the gzip data"),
                           ("of nothing", gzip.compress(b""), "empty")]:
    case(f"kmeans: gzip {name}", ["kmeans", "data.csv.gz", *RUN], FORMAT, "data.csv.gz", says,
         files={"data.csv.gz": bytes_})
case("kmeans: gzip without an inner ending", ["kmeans", "data.gz", *RUN], USAGE, "name the format",
     files={"data.gz": PACKED})
case("kmeans: gzip of an array", ["kmeans", "data.npy.gz", *PLAIN], FORMAT, "gunzip",
     files={"data.npy.gz": gzip.compress(b"\x93NUMPY")})
for ending, says in [("parquet", "duckdb"), ("parquet", "python3 -m tacitdp"),
                     ("xlsx", "python3 -m tacitdp"), ("xlsx", "read_excel"), ("xls", "read_excel"),
                     ("ods", "read_excel"), ("json", "duckdb"), ("feather", "read_feather"),
                     ("sas7bdat", "read_sas"), ("dta", "read_stata"), ("sav", "read_spss"),
                     ("csv.zst", "zstd -dc"), ("csv.xz", "xz -dc"), ("csv.bz2", "bzip2 -dc"),
                     ("zip", "unzip -p"), ("npz", "numpy.save")]:
    case(f"kmeans: a file that ends in .{ending}", ["kmeans", "data." + ending, *RUN], FORMAT, says,
         "no format reads", files={"data." + ending: GOOD})
for name, magic, says in [("parquet", b"PAR1\x15\0", "duckdb"),
                          ("a workbook", b"PK\3\4\x14", "ZIP"),
                          ("arrow", b"ARROW1\0\0", "read_feather"),
                          ("zstd", b"\x28\xb5\x2f\xfd", "zstd -dc"),
                          ("UTF-16 without a mark", "age,stay\n".encode("utf-16-le"), "UTF-16LE"),
                          ("UTF-16, big", "age,stay\n".encode("utf-16-be"), "UTF-16BE")]:
    kmeans(f"{name} that is called .csv", RUN, FORMAT, says, files={"data.csv": magic + NUMBER})

PURCHASES = b"customer,item,n\n" + b"".join(b"%d,%d,1\n" % (i % 50, i % 10) for i in range(200))
OWN = ["--row-column", "customer", "--col-column", "item", "--count-column", "n"]
for name, argv, code, says in [
        ("a row column that is not there", ["--row-column", "client", *OWN[2:]], USAGE,
         ["row column", "'client'", "customer, item, n"]),
        ("a col column that is not there", [*OWN[:2], "--col-column", "4", *OWN[4:]], USAGE,
         ["col column", "'4'"]),
        ("a count column that is not there", [*OWN[:4], "--count-column", "sum"], USAGE,
         ["count column", "'sum'"]),
        ("one column twice", [*OWN[:2], "--col-column", "1", *OWN[4:]], USAGE, ["two columns"]),
        ("a row column alone", OWN[:2], FORMAT, ["'col'", "--col-column"]),
        ("a count column alone", OWN[4:], FORMAT, ["'row'", "--row-column"]),
        ("names of their own in another format", [*OWN, "--format", "csv"], USAGE, ["triplets"]),
        ("an unknown customer column number", ["--row-column", "0", *OWN[2:]], USAGE, ["'0'"])]:
    case(f"cocluster: {name}", ["cocluster", "data.csv", *BLOCKS, *argv], code, *says,
         files={"data.csv": PURCHASES})
DECLARE_EUROPE = ["--bounds", "age=0:120,stay=0:60", "--decimal", ","]
for option in ["--delimiter=|", "--decimal=.", "--thousands=.", "--skip-lines=1"]:
    kmeans(f"{option} against the ledger", ["-k", "2", "--epsilon", "1", option], DECLARED,
           "declares", files={"data.csv": EUROPE}, ledger={"data.csv": ("4", "1e-5")},
           declare=DECLARE_EUROPE)
case("cocluster: another row column than the ledger's",
     ["cocluster", "data.csv", *BLOCKS[:6], "--row-column", "item"],
     DECLARED, "row column", "'customer'", files={"data.csv": PURCHASES},
     ledger={"data.csv": ("4", "1e-5")}, declare=[*OWN, "--shape", "x10"])


DECLARING = ["--columns", "--format", "--label-column", "--unit-column", "--max-rows-per-person",
             "--neighbors", "--unit", "--shape", "--vocabulary", "--bounds", "--radius", "--center"]


def declared_by(argv):
    """The options of a run that say what the table is."""
    return [word for i, option in enumerate(argv) if option in DECLARING for word in argv[i:i + 2]]


def make_ledger(folder, data, epsilon, delta, this):
    said = declared_by(this.argv)
    for options in ([this.declare] if this.declare is not None
                    else [said or ["--bounds", "0:1"], ["--bounds", "0:1"]]):
        file = ["data.csv", "--ledger", data] if data.endswith(".ledger") else [data]
        done = folder.run(["ledger", "init", *file, "--epsilon", epsilon, "--delta", delta,
                           *options])
        if done.returncode == 0:
            return
    raise AssertionError(f"no ledger: {done.stderr.decode()}")


def work(binary):
    """How to try one case: gives its name and what is wrong with the answer."""
    import harness

    def one(this):
        with harness.Folder(binary) as folder:
            folder.write(this.files)
            ledgers = []
            for data, (epsilon, delta) in (this.ledger or {}).items():
                make_ledger(folder, data, epsilon, delta, this)
                ledgers.append(data)
            if this.before is not None:
                this.before(folder)
            if getattr(this, "spoilt", False):
                ledgers = []
            spent = [folder.spent(data)["spent"] for data in ledgers]
            there = folder.listing()
            done = folder.run(this.argv, stdin=this.stdin, file_limit=this.file_limit,
                              closed=this.closed)
            wrong = judge(this, done)
            now = folder.listing()
            # a claim taken and given back leaves a trace
            sizes_may_change = {data + ".ledger" for data in ledgers}
            if {k: v for k, v in now.items() if k not in sizes_may_change} != \
                    {k: v for k, v in there.items() if k not in sizes_may_change}:
                wrong.append(f"files changed: {sorted(set(now.items()) ^ set(there.items()))}")
            if [folder.spent(data)["spent"] for data in ledgers] != spent:
                wrong.append("the ledger's spent share changed")
            return this.name, wrong
    return one


def judge(this, done):
    """What is wrong with exit code and messages."""
    import json
    wrong = []
    text = done.stderr.decode(errors="replace")
    allowed = this.code if isinstance(this.code, set) else {this.code}
    if done.returncode not in allowed:
        wrong.append(f"exit code {done.returncode}, wanted {sorted(allowed)}")
    if done.returncode not in DOCUMENTED:
        wrong.append(f"exit code {done.returncode} is not documented")
    if this.paid:
        try:
            json.loads(done.stdout)
        except ValueError:
            wrong.append("the paid release did not come on standard output")
    elif done.stdout:
        wrong.append(f"{len(done.stdout)} bytes on standard output")
    for word in this.says:
        if word not in text:
            wrong.append(f"the sentence does not say {word!r}")
    for word in CANARIES + this.never:
        if word in text:
            wrong.append(f"the sentence repeats {word!r}")
    for word in ["Sanitizer", "runtime error", "Segmentation", "core dumped", "(null)"]:
        if word in text:
            wrong.append(f"{word} on standard error")
    lines = text.split("\n")
    if (not text.endswith("\n") or len(lines) > 4
        or any(not line.startswith("tacit") for line in lines[:-1])):
        wrong.append("standard error is not one short paragraph that starts with tacit")
    if len(text) > 2500:
        wrong.append("the sentence is too long")
    if wrong:
        wrong.append("said: " + text[:400])
    return wrong
