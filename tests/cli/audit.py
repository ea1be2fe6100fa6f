# SPDX-License-Identifier: Apache-2.0
"""tacit audit from outside: a broken program is caught, a correct one is not, and what is printed
can be read by programs."""
import json
import os
import xml.dom.minidom

import harness

PYTHON = "/usr/bin/python3 -IS"
VIOLATION = 80
FEW = ["--runs", "100", "--confidence", "0.999999"]  # a right program is flagged once in a million


def program(folder, command, *more, pair=("a.csv", "b.csv")):
    return folder.run(["audit", "--command", command, "--pair", *pair, *more])


def broken_lloyd(folder, root):
    """The example: empty clusters skipped."""
    done = program(folder, f"{PYTHON} '{root}/examples/broken_lloyd.py' {{input}}", "--epsilon",
                   "1", "--runs", "100", "--json",
                   pair=(f"{root}/examples/with.csv", f"{root}/examples/without.csv"))
    found = json.loads(done.stdout)[0]
    return ([] if done.returncode == VIOLATION and found["violation"] and found["measured"] > 1
            and "0.75" in found["attack"] else [done.stdout.decode(), done.stderr.decode()])


def correct_lloyd(folder, root):
    """The same program without the mistake."""
    done = program(folder, f"{PYTHON} '{root}/examples/broken_lloyd.py' {{input}} --correct",
                   "--epsilon", "1", *FEW,
                   pair=(f"{root}/examples/with.csv", f"{root}/examples/without.csv"))
    return ([] if done.returncode == 0 and b"no violation found" in done.stdout
            else [done.stdout.decode(), done.stderr.decode()])


def file_names(folder, root):
    """Names that a shell would take apart, had they not been quoted."""
    names = ("it's; touch caught; $(touch caught) `touch caught`.csv", "-other 'one'.csv")
    folder.write({names[0]: b"1", names[1]: b"2"})
    done = program(folder, "cat -- {input}", "--epsilon", "0.5", *FEW, pair=names[:1] +
                   ("./" + names[1],))
    wrong = ([] if done.returncode == VIOLATION and b"exit" not in done.stderr
             else [done.stdout.decode(), done.stderr.decode()])
    return wrong + (["a command in a file name was run"] if "caught" in folder.listing() else [])


def exit_codes(folder, root):
    """A program that only fails differently."""
    done = program(folder, "exit $(cat {input})", "--epsilon", "0.5", *FEW)
    return ([] if done.returncode == VIOLATION and b"exit code" in done.stdout
            else [done.stdout.decode(), done.stderr.decode()])


def long_runs(folder, root):
    """One that hangs, with a child that holds the pipe, is ended; and that is seen."""
    done = program(folder, "if [ $(cat {input}) = 2 ]; then sleep 100 & sleep 100; fi", "--epsilon",
                   "0.1", "--runs", "20", "--time-limit", "0.2", "--confidence", "0.6")
    return ([] if done.returncode == VIOLATION and b"exit code" in done.stdout
            else [done.stdout.decode(), done.stderr.decode()])


def silent_runs(folder, root):
    """One that closes its output and goes on is ended too."""
    done = program(folder, ": {input}; exec >&-; sleep 100", "--epsilon", "1", "--runs", "20",
                   "--time-limit", "0.1")
    return ([] if done.returncode == 0 and b"no violation found" in done.stdout
            else [done.stdout.decode(), done.stderr.decode()])


def long_outputs(folder, root):
    """More output than is kept, and not a number in it."""
    done = program(folder, ": {input}; head -c 3000000 /dev/zero", "--epsilon", "1", "--runs", "20")
    return ([] if done.returncode == 0 and b"no violation found" in done.stdout
            else [done.stdout.decode(), done.stderr.decode()])


def no_such_program(folder, root):
    """A program that cannot be run, or is not told the file, gets no verdict; one that says nothing
    gets a warning."""
    wrong = []
    for command, code, text in (("./no-such-program {input}", 64, b"was not found"),
                                ("./a.csv {input}", 64, b"cannot be run"),
                                ("cat a.csv", 64, b"needs {input}"),
                                ("false {input}", 0, b"warning: no run printed anything")):
        done = program(folder, command, "--epsilon", "1", "--runs", "20")
        if done.returncode != code or text not in done.stderr or (code != 0 and done.stdout):
            wrong += [command, str(done.returncode), done.stdout.decode(), done.stderr.decode()]
    return wrong


def few_runs(folder, root):
    """Rows printed as they are, in so few runs that nothing can be proved: the verdict says so."""
    few, more = (program(folder, "cat {input}", "--epsilon", "1", "--runs", runs)
                 for runs in ("30", "100"))
    return ([] if few.returncode == 0 and b"30 runs cannot prove an epsilon above" in few.stdout
            and more.returncode == VIOLATION else [few.stdout.decode(), more.stdout.decode()])


def misspelt(folder, root):
    """What was perhaps meant."""
    wrong = []
    for words, text in ((["kmeens"], b"did you mean tacit audit kmeans?"),
                        (["kmeans", "--method", "lloid"], b"did you mean lloyd?"),
                        (["subspace", "--method", "xyz"], b"see tacit subspace --list-methods"),
                        (["xyzzy"], b"or a program with")):
        done = folder.run(["audit", *words, "--epsilon", "1"])
        if done.returncode != 64 or text not in done.stderr:
            wrong += [" ".join(words), done.stderr.decode()]
    return wrong


def picture(folder, root):
    """A picture of several methods is well-formed, and the table has a line for each."""
    done = folder.run(["audit", "kmeans", "--epsilon", "4", "--delta", "1e-6", "--runs", "20",
                       "--method", "grid", "--picture", "a.svg"])
    with open(folder.name("a.svg"), encoding="utf-8") as file:
        svg = xml.dom.minidom.parseString(file.read())
    wrong = ([] if svg.documentElement.tagName == "svg"
             and "kmeans grid" in svg.documentElement.toxml() else ["no picture"])
    return wrong + ([] if done.returncode == 0 and b"kmeans grid" in done.stdout
                    and b"pairs of" in done.stdout else [done.stdout.decode()])


def half_noise(folder, root):
    """Noise made too small on purpose is told by the exit code."""
    done = folder.run(["audit", "kmeans", "--method", "lloyd", "--epsilon", "11", "--delta", "1e-6",
                       "--runs", "600", "--noise-factor", "0.4", "--json"])
    found = json.loads(done.stdout)[0]
    return ([] if done.returncode == VIOLATION and found["measured"] > 11 and found["too_far"] == 0
            else [done.stdout.decode()])


CASES = [broken_lloyd, correct_lloyd, file_names, exit_codes, long_runs, silent_runs, long_outputs,
         no_such_program, few_runs, misspelt, picture, half_noise]


def work(binary, root):
    def one(case):
        with harness.Folder(binary) as folder:
            folder.write({"a.csv": b"1", "b.csv": b"2"})
            return "audit: " + " ".join(case.__doc__.split()), case(folder, root)
    return one
