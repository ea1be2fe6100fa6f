#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents hold together: links and anchors lead somewhere, files that are named exist, the
README is short. TAP output.
Usage: check_links.py SOURCE_ROOT [--without-src] [--tree DIR]    DIR: where named files are looked
                                                                  for, if not in SOURCE_ROOT"""
import pathlib
import re
import sys

README_MOST = 6144
root = pathlib.Path(sys.argv[1]).resolve()
tree = (pathlib.Path(sys.argv[sys.argv.index("--tree") + 1]).resolve() if "--tree" in sys.argv
        else root)
FOLDERS = ("include|tests|bench|fuzz|tools|examples|man|docs" +
           ("" if "--without-src" in sys.argv else "|src"))
pages = ([root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md",
                                    "SECURITY.md")] +
         sorted((root / "docs").glob("*.md")))
checks = []


def check(wrong, what):
    for line in wrong:
        print("#", line)
    checks.append(not wrong)
    print(f"{'not ok' if wrong else 'ok'} {len(checks)} - {what}")


def without_code(text):
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def anchors(text):
    """What a page's headings are called in a link."""
    seen, names = {}, set()
    for heading in re.findall(r"^#{1,6} +(.*?) *$",
                              re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        names.add(slug if slug not in seen else f"{slug}-{seen[slug]}")
        seen[slug] = seen.get(slug, 0) + 1
    return names


def links(page):
    wrong, found = [], 0
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"\w+://|mailto:", target):
            continue
        found += 1
        path, _, anchor = target.partition("#")
        to = page if path == "" else page.parent / path
        if not to.exists():
            wrong.append(f"{page.name}: {target}: there is no such file")
        elif anchor and anchor not in anchors(to.read_text(encoding="utf-8")):
            wrong.append(f"{page.name}: {target}: there is no such heading")
    return wrong, found


def names(page):
    """Files that the page names and that do not exist; NAME stands for a name of the reader's, *
    for any."""
    wrong, found = [], 0
    # A path of another tree (build/src/...) or of a home is none of ours.
    for name in re.findall(rf"(?<![\w./-])(?:{FOLDERS})/[\w./*+-]*",
                           page.read_text(encoding="utf-8")):
        name = name.rstrip(".")
        if "NAME" in name:
            continue
        found += 1
        if not (list(tree.glob(name.rstrip("/"))) if "*" in name else (tree / name).exists()):
            wrong.append(f"{page.name}: {name} does not exist")
    return wrong, found


all_links, all_names, wrong_links, wrong_names = 0, 0, [], []
for page in pages:
    bad, n = links(page)
    wrong_links += bad
    all_links += n
    bad, n = names(page)
    wrong_names += bad
    all_names += n
check(wrong_links, f"{all_links} links lead to a page and a heading")
check(wrong_names, f"{all_names} files that documents name exist")
check([] if all_links > 40 and all_names > 60 else ["too few"], "links and names were found")
size = (root / "README.md").stat().st_size
check([] if size <= README_MOST else [f"{size} bytes"],
      f"README.md has at most {README_MOST} bytes")


def unled(page, wanted, whence):
    """Files that a page has no link to."""
    text = page.read_text(encoding="utf-8")
    return [f"{page.name} does not lead to {name}" for name in
            (str(path.relative_to(root)) for path in wanted) if f"]({whence(name)})" not in text]


index = root / "docs" / "index.md"
check(unled(root / "README.md", [index], lambda name: name) +
      unled(index, [page for page in pages if page not in (index, root / "README.md")],
            lambda name: name[5:] if name.startswith("docs/") else "../" + name),
      "the README leads to docs/index.md, and that to every document")
if "--without-src" not in sys.argv:
    check(unled(root / "docs" / "proofs.md", sorted(root.glob("src/**/*.proof.md")),
                lambda name: "../" + name), "docs/proofs.md leads to every proof")
# One spelling; brackets, so that a renaming by words leaves the pattern alone. Before the move into
# rooms the release's own fields still have the other one.
BRITISH = re.compile(r"\b\w*(?:cent[r]e|neighb[o]ur|col[o]ur|behavi[o]ur|catalog[u]e|quanti[s]|"
                     r"normali[s]|summari[s]|optimi[s])\w*", re.I)
wrong = [f"{page.name}: {word}" for page in pages
         if not ("--without-src" in sys.argv and page.name == "release-format.md")
         for word in BRITISH.findall(re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8")))]
check(wrong, "documents have American spelling")
print(f"1..{len(checks)}")
sys.exit(0 if all(checks) else 1)
