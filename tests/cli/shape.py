# SPDX-License-Identifier: Apache-2.0
"""What the source of the command promises: public header only, and a manual page that knows every option."""
import os
import re

import harness
from golden import COMMANDS


def includes(root):
    wrong, folder = [], os.path.join(root, "src", "cli")
    paths = sorted(os.path.join(at, name) for at, _, names in os.walk(os.path.normpath(folder)) for name in names)
    if len(paths) < 30:
        wrong.append("the sources were not found")
    for path in paths:
        name = os.path.basename(path)
        if not name.endswith((".c", ".h", ".def")):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for start, what in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', text, re.M):
            fine = os.path.normpath(os.path.join(os.path.dirname(path), what)) in paths if start == '"' else \
                "/" not in what or what == "tacit/tacit.h" or what.startswith("sys/")
            # start_sodium.c decides how libsodium starts: a setting of the process, so not the library's.
            if not fine or what == "sqlite3.h" or (what == "sodium.h" and name != "start_sodium.c"):
                wrong.append(f"{name} includes {what}")
        for word in re.findall(r"\btac_\w+", text):
            wrong.append(f"{name} uses {word}")
    return "the command includes the public header only", wrong


def manual(root, binary):
    wrong = []
    with open(os.path.join(root, "man", "tacit.1.scd"), encoding="utf-8") as file:
        page = file.read()
    with harness.Folder(binary) as folder:
        every = folder.run(["--help"], check=0).stdout.decode()
        for command in COMMANDS:
            text = folder.run([*command.split(), "--help"], check=0).stdout.decode()
            if f"tacit {command}" not in page:
                wrong.append(f"command {command}")
            for letter, option in re.findall(r"^  (?:(-\w), |    )(--[\w-]+)", text, re.M):
                if f"*{option}*" not in page or (letter and f"*{letter}*" not in page):
                    wrong.append(f"{command} {option}")
    for code in re.findall(r"^ +(\d+)  ", every[every.index("Exit codes"):], re.M):
        if f"\n*{code}*\n" not in page:
            wrong.append(f"exit code {code}")
    return "the manual page has every command, option and exit code", wrong
