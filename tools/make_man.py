#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual page, in scdoc: every line "@options TITLE@" of man/tacit.1.scd becomes the options of
that group, from the command's own table and man/option_notes.scd. Usage: make_man.py TACIT PAGE
NOTES"""
import json
import re
import subprocess
import sys

RUNS = {"kmeans", "kmedian", "subspace", "cocluster"}


def tables(tacit):
    return json.loads(subprocess.run([tacit, "--tables"], check=True, capture_output=True).stdout)


def read_notes(path):
    """{"--name VALUE": text}"""
    with open(path, encoding="utf-8") as file:
        blocks = re.sub(r"^;.*\n", "", file.read(), flags=re.M).strip().split("\n\n")
    return {block.split("\n", 1)[0]: " ".join(line.strip() for line in block.split("\n")[1:])
            for block in blocks}


def key(option):
    return f"--{option['name']}" + (f" {option['value']}" if option["value"] else "")


def marked(text, value):
    """Options bold, placeholders underlined."""
    text = re.sub(r"([\\_*])", r"\\\1", text)
    text = re.sub(r"(?<![\w-])(--?[a-z][a-z-]*)", r"*\1*", text)
    names = {"FILE", "MODEL"} | ({value} if value and " " not in value else set())
    return re.sub(r"(?<![\w*])(%s)(?![\w*])" % "|".join(sorted(names, reverse=True)), r"_\1_", text)


def whose(commands):
    """Who takes it, in bold; what a family's run takes its plan takes, so plans are named only by
    themselves."""
    names = {"generate mixture" if name == "generate" else name for name in commands}
    if {"generate mixture", "generate subspaces", "generate counts"} <= names:
        names = {name for name in names if not name.startswith("generate")} | {"generate"}
    plans = {name for name in names if name.startswith("plan")}
    names -= {name for name in plans if (name.split() + ["kmeans"])[1] in names}
    if plans <= names and len(plans) == 3:
        names = names - plans | {"plan"}
    return ", ".join(f"*{name}*"
                     for name in sorted(names, key=lambda name: (name not in RUNS, name)))


def entry(option, notes):
    letter = f"*-{option['letter']}*, " if option["letter"] else ""
    value = "".join(f" _{word}_" for word in (option["value"] or "").split())
    paragraphs = []
    for use in option["uses"]:
        text, who = use["help"], f"({whose(use['commands'])}) "
        if RUNS <= set(use["commands"]) and not paragraphs:
            who = ""
        elif use["commands"] == ["ledger"] and text.startswith("init: "):
            text, who = text[len("init: "):], "(*ledger init*) "
        text = re.sub(r"^[a-z]", lambda first: first.group().upper(), marked(text, option["value"]))
        paragraphs.append(f"{who}{text}.")
    if key(option) in notes:
        note = notes.pop(key(option))
        if len(paragraphs) == 1:
            paragraphs[0] += "\n\t" + note
        else:
            paragraphs.append(note)
    return f"{letter}*--{option['name']}*{value}\n\t" + "\n\n\t".join(paragraphs)


def page(tacit, source, notes_path):
    notes, table, used = read_notes(notes_path), tables(tacit), set()

    def group(match):
        used.add(match.group(1))
        return "\n\n".join(entry(option, notes) for option in table["options"]
                           if option["group"].split(" (")[0] == match.group(1))

    with open(source, encoding="utf-8") as file:
        text = re.sub(r"^@options (.*)@$", group, file.read(), flags=re.M)
    missing = {option["group"].split(" (")[0] for option in table["options"]} - used
    if notes or missing:
        raise ValueError(f"no option is called {sorted(notes)}, or the page lacks the groups "
                         f"{sorted(missing)}")
    return text


if __name__ == "__main__":
    sys.stdout.write(page(*sys.argv[1:]))
