# SPDX-License-Identifier: Apache-2.0
"""The pages of the tree as pages of one site: where each goes, links that lead there, and Markdown
as MkDocs reads it. Used by tools/site."""
import os
import re
import shutil

import site_math

# Where pages outside docs/ go. Whatever else a page links to is copied beside them.
PLACES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
          "SECURITY.md": "security.md", "docs/figures/README.md": "figures/index.md"}
COLUMNS = re.compile(r"\S {2,}[^\s#]")
FENCE = re.compile(r"^```")
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) ")
BEGINS = re.compile(r"^ *(?:[-*]|1\.) ")
NAMED = re.compile(r"(?<![\w/[])(?<!\]\()(\w+)\.proof\.md")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def place(name):
    """Where a file of the tree goes in the site."""
    if name in PLACES:
        return PLACES[name]
    if name.startswith("docs/"):
        return name[len("docs/"):]
    return "proofs/" + os.path.basename(name) if name.endswith(".proof.md") else "tree/" + name


def spaced_lists(lines):
    """A list that follows its paragraph at once gets the empty line that MkDocs wants."""
    fenced = listed = False
    before = ""
    for line in lines:
        fenced ^= bool(FENCE.match(line))
        item = not fenced and ITEM.match(line)
        if item and not listed and before.strip() and not before.startswith("#"):
            item = BEGINS.match(line)  # a line of text may begin with a number, too
            if item:
                yield ""
        if item:
            listed = True
        elif not line.strip() or (not before.strip() and not line.startswith(" ")):
            listed = listed and not line.strip()
        before = line
        yield line


def prose(line, proof):
    """A line outside of code: a smaller-than sign opens no tag, and formulas are set. Texts in
    backquotes and targets of links stay as they are."""
    parts = re.split(r"(`[^`]*`|\]\([^)\s]*\))", line)
    for i in range(0, len(parts), 2):
        part = re.sub(r"<(?=[A-Za-z/!?])", "&lt;", parts[i])
        parts[i] = site_math.formula(part) if proof else site_math.powers(part)
    if line.startswith("|"):  # a bar within code within a table needs no escape here
        parts[1::2] = [part.replace(r"\|", "|") for part in parts[1::2]]
    return "".join(parts)


def typed(lines):
    """Indented lines are typed into a shell."""
    return ["``` { .text .typed }", *lines, "```"]


def shown(lines):
    """What a program prints, or a call that is no example. Sentences are broken on any screen, the
    columns of a table on none."""
    long = lines[0].startswith("$ ") or not any(COLUMNS.search(line) for line in lines)
    return ["``` { .text .shown" + (" .long" if long else "") + " }", *lines, "```"]


class Pages:
    """Copies the pages that are asked for, and whatever they link to, into a folder."""

    def __init__(self, root, out):
        self.root, self.out, self.waiting, self.done = root, out, [], set()

    def wants(self, name):
        if name not in self.done:
            self.done.add(name)
            self.waiting.append(name)

    def link(self, page):
        def moved(match):
            path, mark, anchor = match[2].partition("#")
            if not path or re.match(r"\w+:", path):
                return match[0]
            name = os.path.normpath(os.path.join(os.path.dirname(page), path))
            self.wants(name)
            to = os.path.relpath(place(name), os.path.dirname(place(page)) or ".")
            return match[1] + to + mark + anchor + match[3]
        return moved

    def text(self, page, text):
        proof = page.endswith(".proof.md")
        lines = list(spaced_lists(text.splitlines()))
        out, at = [], 0
        while at < len(lines):
            line, end = lines[at], at + 1
            if FENCE.match(line):
                end = lines.index("```", end) + 1
                plain = line in ("```", "```text")
                out += shown(lines[at + 1:end - 1]) if plain else lines[at:end]
            elif line.startswith("    ") and (at == 0 or not lines[at - 1].strip()):
                while end < len(lines) and lines[end].startswith("    "):
                    end += 1
                block = [line[4:] for line in lines[at:end]]
                out += [site_math.block(block)] if proof else typed(block)
            else:
                line = LINK.sub(self.link(page), prose(line, proof))
                out.append(NAMED.sub(r"[\1](\1.proof.md)", line) if proof else line)
            at = end
        return "\n".join(out) + "\n"

    def copy(self):
        while self.waiting:
            name = self.waiting.pop()
            to = os.path.join(self.out, place(name))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            source = os.path.join(self.root, name)
            if not name.endswith(".md"):
                shutil.copyfile(source, to)
                continue
            with open(source, encoding="utf-8") as file:
                text = self.text(name, file.read())
            with open(to, "w", encoding="utf-8") as file:
                file.write(text)


def navigation(text, proofs):
    """The groups of docs/index.md: headings, and the first link of each of their items. Proofs are
    a group of their own, behind that of their page."""
    groups, behind = [{"Home": ["index.md"]}], 1
    for line in text.splitlines():
        if line.startswith("## "):
            groups.append({line[3:]: []})
        found = re.match(r"- \[([^]]*)\]\(([^)#]*)\)", line)
        if found and len(groups) > 1:
            name = os.path.normpath(os.path.join("docs", found[2]))
            if name == "docs/proofs.md":
                behind = len(groups)
            else:
                [*groups[-1].values()][0].append({found[1]: place(name)})
    groups.insert(behind, {"Proofs": ["proofs.md", *proofs]})
    return [group for group in groups if [*group.values()][0]]
