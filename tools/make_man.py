#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual pages, in scdoc, from the command's own tables. In man/tacit.1.scd every line
"@options TITLE@" becomes the options of that group, with what man/option_notes.scd adds to them.
The page of one COMMAND has its usage, what man/tacit.1.scd says of it, its options and its part of
man/command_examples.scd. Usage: make_man.py TACIT PAGE NOTES [EXAMPLES COMMAND]"""
import json
import re
import subprocess
import sys

RUNS = {"kmeans", "kmedian", "subspace", "cocluster"}


def tables(tacit):
    return json.loads(subprocess.run([tacit, "--tables"], check=True, capture_output=True).stdout)


def read_notes(path, command=None):
    """{"--name VALUE": text}, of notes for this command's page; None: of all."""
    with open(path, encoding="utf-8") as file:
        blocks = re.sub(r"^;.*\n", "", file.read(), flags=re.M).strip().split("\n\n")
    notes = {}
    for block in blocks:
        head, *lines = block.split("\n")
        name, _, whose_page = head.partition(" @ ")
        if command is None or not whose_page or command in whose_page.split():
            notes[name] = " ".join(line.strip() for line in lines)
    return notes


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


def paragraph(use, who, value):
    text = use["help"]
    if use["commands"] == ["ledger"] and text.startswith("init: "):
        text, who = text[len("init: "):], "(*ledger init*) "
    text = re.sub(r"^[a-z]", lambda first: first.group().upper(), marked(text, value))
    return f"{who}{text}."


def lines_of(option, lettered, paragraphs, note):
    letter = f"*-{option['letter']}*, " if lettered else ""
    value = "".join(f" _{word}_" for word in (option["value"] or "").split())
    if note and len(paragraphs) == 1:
        paragraphs[0] += "\n\t" + note
    elif note:
        paragraphs.append(note)
    return f"{letter}*--{option['name']}*{value}\n\t" + "\n\n\t".join(paragraphs)


def entry(option, notes):
    """An option on the page of all commands."""
    paragraphs = []
    for use in option["uses"]:
        every = RUNS <= set(use["commands"]) and not paragraphs
        paragraphs.append(paragraph(use, "" if every else f"({whose(use['commands'])}) ",
                                    option["value"]))
    return lines_of(option, option["letter"], paragraphs, notes.pop(key(option), None))


def entry_of(option, notes, commands):
    """The same on the page of these commands: one, or those that share its first word. None: they
    do not take it."""
    uses = [(use, commands & set(use["commands"])) for use in option["uses"]]
    uses = [(use, mine) for use, mine in uses if mine]
    if not uses:
        return None
    takes = set().union(*(mine for _, mine in uses))
    lettered = takes & set().union(*(use["with_letter"] for use, _ in uses))
    paragraphs = [paragraph(use, "" if mine == commands else f"({whose(mine)}) ", option["value"])
                  for use, mine in uses]
    if lettered and lettered != takes:
        paragraphs[-1] += f" The letter is for {whose(lettered)}."
    return lines_of(option, lettered, paragraphs, notes.get(key(option)))


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


def told(source, command):
    """What the page of all commands says of one: its entries under COMMANDS."""
    with open(source, encoding="utf-8") as file:
        text = re.search(r"^# COMMANDS\n(.*?)^# ", file.read(), re.M | re.S).group(1)
    found = [block for block in text.strip().split("\n\n")
             if re.match(rf"\*{command}\b[a-z ]*\*\n", block)]
    if not found:
        raise ValueError(f"{source} says nothing of {command}")
    if len(found) == 1:
        found = [re.sub(r"^\t", "", found[0].split("\n", 1)[1], flags=re.M)]
    return re.sub(r"\bsee \*([A-Z ]+)\*", r"see *\1* in *tacit*(1)", "\n\n".join(found))


def examples_of(path, command):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^;.*\n", "", file.read(), flags=re.M)
    return re.search(rf"^# {command}\n\n(.*?)(?=^# |\Z)", text, re.M | re.S).group(1).strip()


def synopsis(usage):
    """Command lines with names bold and what stands for something underlined."""
    lines = []
    for line in usage.split("\n"):
        words = re.sub(r"([\\_*])", r"\\\1", line)
        words = re.sub(r"(?<![\w.-])([A-Z]+)(?![\w-])", r"_\1_", words)
        words = re.sub(r"(?<![\w-])(--?[a-z][a-z-]*)", r"*\1*", words)
        lines.append("*tacit* " + re.sub(r"^([a-z]+)", r"*\1*", words))
    return "++\n".join(lines)


def page_of(tacit, source, notes_path, examples, command):
    """The page of one command, as tacit-COMMAND(1)."""
    notes, table = read_notes(notes_path, command), tables(tacit)
    first = next(c for c in table["commands"] if c["name"] == command)
    commands = {" ".join(filter(None, (c["name"], c["object"]))) for c in table["commands"]
                if c["name"] == command}
    parts, group = [], None
    for option in table["options"]:
        text = entry_of(option, notes, commands)
        if text is not None and option["group"] != group:
            group = option["group"]
            title, _, aside = group.rstrip(")").partition(" (")
            parts += filter(None, [f"## {title}", aside and aside[0].upper() + aside[1:] + "."])
        parts += filter(None, [text])
    return "\n\n".join([
        f"tacit-{command}(1)", "# NAME", f"tacit-{command} - {first['summary']}", "# SYNOPSIS",
        synopsis(first["usage"]), "# DESCRIPTION", told(source, command), "# OPTIONS", *parts,
        "# EXAMPLES", examples_of(examples, command), "# EXIT STATUS",
        "0 on success; the other codes are listed in *tacit*(1).", "# SEE ALSO",
        "*tacit*(1): all commands, declarations, error bars, files and exit codes"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write((page if len(sys.argv) == 4 else page_of)(*sys.argv[1:]))
