# SPDX-License-Identifier: Apache-2.0
"""What the documents say of methods and pictures is what the command says and draws."""
import json
import os
import re
import subprocess
import sys

import harness

SECTIONS = {"kmeans": "## `tacit kmeans`, `tacit kmedian`", "subspace": "## `tacit subspace`",
            "cocluster": "## `tacit cocluster`"}
# Words of a guarantee that a page may not leave out.
WEAK = {"asymptotic": r"asymptotic", "real arithmetic": r"in real\s+arithmetic",
        "ledger": r"no ledger"}


def described(root, family):
    """name -> text of every method in its section of docs/methods.md."""
    with open(os.path.join(root, "docs", "methods.md"), encoding="utf-8") as file:
        section = file.read().split(SECTIONS["kmeans" if family == "kmedian" else family] +
                                    "\n")[1].split("\n## ")[0]
    parts = re.split(r"^### `([^`]+)`$", section, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def guarantee_of(text):
    found = re.search(r"^- Guarantee: (.*?)(?=^- |\Z)", text, re.M | re.S)
    return found.group(1) if found else ""


def methods(binary, root):
    """docs/methods.md has the methods of --list-methods, in its order, and nothing weaker than they
    are is called stronger."""
    def one(family):
        with harness.Folder(binary) as folder:
            listed = json.loads(folder.run([family, "--list-methods", "--json"], check=0).stdout)
        pages = described(root, family)
        if family == "kmedian":
            pages = {name: text for name, text in pages.items()
                     if re.search(r"^- For:.*k-median", text, re.M)}
        names = [method["name"] for method in listed]
        wrong = [] if list(pages) == names else [f"the page has {list(pages)}, the command {names}"]
        for method in listed:
            text = pages.get(method["name"], "")
            says = guarantee_of(text)
            wrong += [f"{method['name']}: its guarantee does not say {word}"
                      for word, pattern in WEAK.items() if word in method["guarantee"]
                      and not re.search(pattern, says)]
            for word in ("pure", "approximate"):
                if (word in method["guarantee"]) != (word in says):
                    wrong.append(f"{method['name']}: {word} is said by one of page and "
                                 "command only")
            wrong += [f"{method['name']}: no line {line}"
                      for line in ("- Paper: ", "- Guarantee: ", "- Use it: ") if "\n" +
                      line not in text]
        return f"docs/methods.md, {family}", wrong
    return one


def picture(binary, root):
    """docs/kmeans.svg is what docs/picture.py draws."""
    with harness.Folder(binary) as folder:
        script = os.path.join(root, "docs", "picture.py")
        subprocess.run([sys.executable, script, folder.binary, folder.name("new.svg")], check=True,
                       env=folder.environment())
        with open(folder.name("new.svg"),
                  encoding="utf-8") as new, open(os.path.join(root, "docs", "kmeans.svg"),
                                                 encoding="utf-8") as old:
            same = new.read() == old.read()
    return ("docs/kmeans.svg", [] if same
            else ["is another picture; look at it and run docs/picture.py build/src/cli/tacit"])


def c_blocks(root):
    """C on docs/c.md stands in an example, which a test compiles and runs."""
    with open(os.path.join(root, "docs", "c.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```c\n(.*?)^```$", file.read(), re.M | re.S)
    examples = ""
    for name in ("segments.c", "ledgered.c"):
        with open(os.path.join(root, "examples", name), encoding="utf-8") as file:
            examples += file.read()
    wrong = [f"no example has: {block}" for block in blocks if block not in examples]
    return "docs/c.md has the code of examples", wrong if len(blocks) > 3 else ["too few blocks"]
