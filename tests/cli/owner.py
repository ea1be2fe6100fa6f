# SPDX-License-Identifier: Apache-2.0
"""What the owner of the rows asks of a release: labels and figures, from files and from standard input."""
import golden
import harness

MODEL = [*golden.SEEDED, "-q", "-o", "model.json"]


def read(folder, name):
    with open(folder.name(name), "rb") as file:
        return file.read()


def piped(folder):
    """A model or rows from standard input are the same as from a file."""
    wrong = []
    folder.run(golden.MAKE, check=0)
    folder.run(MODEL, check=0)
    for argv in [["predict"], ["evaluate", "--json"]]:
        wanted = folder.run([argv[0], "model.json", "people.csv", *argv[1:]], check=0).stdout
        rows = folder.run([argv[0], "model.json", "-", *argv[1:]], stdin=read(folder, "people.csv"), check=0).stdout
        model = folder.run([argv[0], "-", "people.csv", *argv[1:]], stdin=read(folder, "model.json"), check=0).stdout
        if rows != wanted:
            wrong.append(f"{argv[0]}: rows from standard input give something else")
        if model != wanted:
            wrong.append(f"{argv[0]}: a model from standard input gives something else")
    return wrong


CASES = [piped]


def work(binary):
    def one(task):
        with harness.Folder(binary) as folder:
            return f"owner: {task.__name__}", task(folder)
    return one
