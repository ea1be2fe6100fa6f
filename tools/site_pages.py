# SPDX-License-Identifier: Apache-2.0
"""The pages of the tree as pages of one site: where each goes, links that lead there, and Markdown
as MkDocs reads it. Used by tools/site."""
import os
import re
import shutil

# Where pages outside docs/ go. Whatever else a page links to is copied beside them.
PLACES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
          "SECURITY.md": "security.md", "docs/figures/README.md": "figures/index.md"}
FENCE = re.compile(r"^```")
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) ")
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
            yield ""
        if item:
            listed = True
        elif not line.strip() or (not before.strip() and not line.startswith(" ")):
            listed = listed and not line.strip()
        before = line
        yield line


def raised(text):
    """Plain-text mathematics of a line: powers, indices and comparisons."""
    text = re.sub(r"\^(-?(?:\d+|[a-zA-Z]\b)|-?\((?:[^()]|\([^()]*\))*\))", r"<sup>\1</sup>", text)
    text = re.sub(r"<sup>\(([^()]*)\)</sup>", r"<sup>\1</sup>", text)
    text = re.sub(r"((?:(?<![\w])[A-Za-z])|\|)_([a-z0-9])(?!\w)", r"\1<sub>\2</sub>", text)
    return text.replace("<=", "≤").replace(">=", "≥").replace("+-", "±")


def prose(line, proof):
    """A line outside of code: a smaller-than sign opens no tag, and a proof's formulas are set.
    Texts in backquotes stay as they are."""
    parts = re.split(r"(`[^`]*`)", line)
    for i in range(0, len(parts), 2):
        part = re.sub(r"<(?=[A-Za-z/!?])", "&lt;", parts[i])
        parts[i] = raised(part.replace("*", r"\*") if proof and "**" not in part and
                          not re.search(r"(?<!\w)\*\w", part) else part) if proof else part
    if line.startswith("|"):  # a bar within code within a table needs no escape here
        parts[1::2] = [part.replace(r"\|", "|") for part in parts[1::2]]
    return "".join(parts)


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
        lines, fenced, before = [], False, ""
        for line in spaced_lists(text.splitlines()):
            fenced ^= bool(FENCE.match(line))
            code = fenced or FENCE.match(line) or (
                line.startswith("    ") and (not before.strip() or before.startswith("    ")))
            before = line
            if not code:
                line = prose(line, page.endswith(".proof.md"))
                line = LINK.sub(self.link(page), line)
            lines.append(line)
        return "\n".join(lines) + "\n"

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


def navigation(text):
    """The groups of docs/index.md: headings, and the first link of each of their items."""
    groups = [{"Home": ["index.md"]}]
    for line in text.splitlines():
        if line.startswith("## "):
            groups.append({line[3:]: []})
        found = re.match(r"- \[([^]]*)\]\(([^)#]*)\)", line)
        if found and len(groups) > 1:
            name = os.path.normpath(os.path.join("docs", found[2]))
            [*groups[-1].values()][0].append({found[1]: place(name)})
    return [group for group in groups if [*group.values()][0]]
