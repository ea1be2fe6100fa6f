# SPDX-License-Identifier: Apache-2.0
"""The tutorials of the manual, read as a newcomer reads them: top to bottom, in an empty folder.

A python block whose first line is "# NAME.py" is a file to save. Indented lines are typed into a
shell and must go well. A block after them shows lines of what they print, and one that begins with
"$ " a command that is refused, and the sentence. What is shown must be printed, but for numbers,
which noise changes, and what "..." leaves out. A block called text is one run of many, whose words
differ too."""
import os
import re
import subprocess

import harness

PAGES = ["docs/choosing-k.md", "docs/tutorial-kmeans.md", "docs/tutorial-subspace.md",
         "docs/tutorial-cocluster.md"]
PARTS = re.compile(r"^```(\w*)\n(.*?)^```$|((?:^    [^\n]*\n)+)", re.M | re.S)
NUMBER = re.compile(r"(?<!\w)-?\d[\d.]*(?:e-?\d+)?")
BAR = re.compile(r"#{2,}")


def plain(text):
    """Text without what differs from run to run: digits, widths of columns, line breaks."""
    return " ".join(NUMBER.sub("0", BAR.sub("##", text)).split())


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

    def __init__(self, folder):
        self.folder, self.wrong, self.printed, self.commands = folder, [], "", 0
        os.symlink(folder.binary, folder.name("tacit"))

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
        if language == "text":
            return
        pieces = re.split(r"\.\.\.|\n", text)
        if text.startswith("$ "):  # a sentence may be broken into lines
            line, text = text[2:].split("\n", 1)
            self.printed, pieces = self.type(line, False), text.split("...")
        for lost in missing(pieces, self.printed):
            self.wrong.append(f"not printed: {lost[:200]!r}, but {self.printed[-900:]!r}")


def follow(binary, root):
    def one(name):
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text = file.read()
        with harness.Folder(binary) as folder:
            reader = Reader(folder)
            for language, block, typed in PARTS.findall(text):
                if typed:
                    reader.printed = "".join(reader.type(line, True)
                                             for line in typed.replace("\\\n", " ").splitlines())
                else:
                    reader.block(language, block)
        few = [] if reader.commands > 10 else ["too few commands"]
        return "what " + name + " says", reader.wrong + few
    return one
