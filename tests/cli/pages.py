# SPDX-License-Identifier: Apache-2.0
"""Pages for people, byte for byte: of fixed releases of every family, of several side by side, and
of a fixed ledger (tests/data/pages). Style and script are files of their own; a golden page names
them only."""
import base64
import hashlib
import os
import re

import golden
import harness

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DATA = os.path.join(TESTS, "data", "pages")
SOURCE = os.path.join(TESTS, "..", "src", "report")
PAGES = {
    "kmeans": ["report", "kmeans.json"],
    "kmedian": ["report", "kmedian.json"],
    "subspace": ["report", "subspace.json"],
    "cocluster": ["report", "cocluster.json"],
    "two": ["report", "kmeans.json", "fewer.json"],
    "series": ["report", "kmeans.json", "fewer.json", "kmeans.json"],
    "ledger": ["ledger", "report", "people.csv.ledger"],
}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def bare(page, wrong):
    """A page without style and script, which must be those of the tree, by the hashes that its
    policy allows."""
    for name, tag, rule in (("page.css", b"style", b"style-src"),
                            ("page.js", b"script", b"script-src")):
        text = read(os.path.join(SOURCE, name))
        sum_of = base64.b64encode(hashlib.sha256(text).digest())
        if page.count(b"<%b>%b</%b>" % (tag, text, tag)) != 1:
            wrong.append(f"{name} is not in the page once")
        if rule + b" 'sha256-" + sum_of + b"'" not in page.split(b"<body>")[0]:
            wrong.append(f"the policy does not allow {name} by its hash")
        page = page.replace(text, name.encode()).replace(sum_of, b"hash of " + name.encode())
    return page


def apart(got, wanted):
    """Where two pages part."""
    at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b),
              min(len(got), len(wanted)))
    return [f"byte {at}, wanted: {wanted[max(0, at - 60):at + 80]!r}",
            f"got: {got[max(0, at - 60):at + 80]!r}"]


def work(binary, update):
    def one(name):
        wrong = []
        with harness.Folder(binary) as folder:
            folder.write({file: read(os.path.join(DATA, file)) for file in os.listdir(DATA)})
            page = folder.run(PAGES[name], check=0).stdout
            again = folder.run([*PAGES[name], "-o", "page.html"], check=0, LC_ALL="C",
                               TZ="Asia/Tokyo")
            if read(folder.name("page.html")) != page or again.stdout:
                wrong.append("a page in a file, in another place of the world, is another")
        got = bare(page, wrong)
        path = os.path.join(golden.HERE, f"page-{name}.html")
        if update:
            with open(path, "wb") as out:
                out.write(got)
        if got != read(path):
            wrong += apart(got, read(path))
        if re.search(rb"\d{4}-\d\d-\d\d", got) and name != "ledger":
            wrong.append("it holds a date")
        return f"page of {name}", wrong
    return one
