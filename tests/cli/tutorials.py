# SPDX-License-Identifier: Apache-2.0
"""The guides of the manual, read as a newcomer reads them: top to bottom, in a folder that has
nothing but the examples of the tree.

A python block whose first line is "# NAME.py" is a file to save. Indented lines are typed into a
shell and must go well. A block after them shows lines of what they print; in one that begins with
"$ " every such line is a command that is refused, in the sentence below it. What is shown must be
printed, but for numbers, which noise changes, names of runs, and what "..." leaves out. Blocks of
another language are not followed; one called text is a run of many, whose words differ too."""
import os
import re
import subprocess

import harness

PAGES = [f"docs/{name}.md" for name in (
    "tutorial-kmeans", "tutorial-subspace", "tutorial-cocluster", "your-own-table",
    "choosing-epsilon", "choosing-k", "persons", "ledgers", "reading-a-release", "faq")]
PARTS = re.compile(r"^```(\w*)\n(.*?)^```$|((?:^    [^\n]*\n)+)", re.M | re.S)
NUMBER = re.compile(r"(?<!\w)-?\d[\d.]*(?:e-?\d+)?")
REFUSED = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)+)", re.M)
RUN = re.compile(r"\b\d{4}-\d\d-\d\dT[\d:]+Z|\b[0-9a-f]{8}\b")
BAR = re.compile(r"#{2,}")


def plain(text):
    """Text without what differs from run to run: digits, widths of columns, line breaks."""
    return " ".join(NUMBER.sub("0", RUN.sub("0", BAR.sub("##", text))).split())


def missing(pieces, printed):
    """Those pieces of what is shown that were not printed."""
    printed = plain(printed)
    return [piece for piece in pieces if plain(piece) not in printed]


def poor(printed):
    """Whether an evaluation is one that a tutorial should not show."""
    agree = [float(x) for x in re.findall(r"^  NMI +([0-9.]+)$", printed, re.M)]
    ratio = [float(x) for x in re.findall(r"^released over plain +([0-9.]+)$", printed, re.M)]
    return any(x < 0.85 for x in agree) or any(x > 1.1 for x in ratio)


class Reader:
    """Follows a page in a folder and collects what does not work."""

    def __init__(self, folder, root):
        self.folder, self.wrong, self.printed, self.commands = folder, [], "", 0
        os.symlink(folder.binary, folder.name("tacit"))
        os.symlink(os.path.join(os.path.abspath(root), "examples"), folder.name("examples"))

    def type(self, line, good):
        env = self.folder.environment()
        done = subprocess.run(line, shell=True, cwd=self.folder.path, capture_output=True,
                              timeout=harness.PATIENCE,
                              env=dict(env, PATH=self.folder.path + ":" + env["PATH"]))
        self.commands += 1
        out = (done.stdout + done.stderr).decode(errors="replace")
        if (done.returncode == 0) != good or done.returncode > 90 or poor(out):
            self.wrong.append(f"{line}: exit {done.returncode}: {out[-600:]}")
        return out

    def block(self, language, text):
        name = re.match(r"# (\w+\.py)\b", text)
        if language == "python" and name:
            self.folder.write({name[1]: text.encode()})
            return
        if language:
            return
        refused = REFUSED.findall(text)
        for line, sentence in refused:  # which may be broken into lines
            self.shows(sentence.split("..."), self.type(line, False))
        if not refused:
            self.shows(re.split(r"\.\.\.|\n", text), self.printed)

    def shows(self, pieces, printed):
        for lost in missing(pieces, printed):
            self.wrong.append(f"not printed: {lost[:200]!r}, but {printed[-900:]!r}")


def every_guide(root):
    """No guide of docs/index.md is left out."""
    with open(os.path.join(root, "docs", "index.md"), encoding="utf-8") as file:
        guides = file.read().split("## Guides\n")[1].split("\n## ")[0]
    listed = {"docs/" + name for name in re.findall(r"^- \[[^]]*\]\(([^)]*)\)", guides, re.M)}
    return "every guide is followed", sorted(listed ^ set(PAGES))


def follow(binary, root):
    def one(name):
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text = file.read()
        with harness.Folder(binary) as folder:
            reader = Reader(folder, root)
            for language, block, typed in PARTS.findall(text):
                if typed:
                    reader.printed = "".join(reader.type(line, True)
                                             for line in typed.replace("\\\n", " ").splitlines())
                else:
                    reader.block(language, block)
        few = [] if reader.commands > 6 else ["too few commands"]
        return "what " + name + " says", reader.wrong + few
    return one
