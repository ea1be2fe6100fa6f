# SPDX-License-Identifier: Apache-2.0
"""The built site holds together: links and anchors lead somewhere, nothing comes from the network,
and no formula of a proof is left as it was written. Used by tools/site."""
import html.parser
import os
import re
import urllib.parse

# What a browser fetches by itself; a link of the text (a href) it does not.
FETCHED = {"script": ["src"], "link": ["href"], "img": ["src", "srcset"],
           "source": ["src", "srcset"], "iframe": ["src"], "video": ["src", "poster"],
           "audio": ["src"], "embed": ["src"],
           "object": ["data"], "image": ["href", "xlink:href"], "use": ["href", "xlink:href"],
           "track": ["src"], "input": ["src"]}
OUTSIDE = re.compile(r"\s*(?:\w+:)?//", re.I)
CODE = ("code", "script", "style")
STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?((?:\w+:)?//[^'\")\s]*)", re.I)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.outside = set(), [], []
        self.in_style, self.in_code, self.raw = False, 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        has = {name: value or "" for name, value in attrs}
        self.names |= {has[name] for name in ("id", "name") if name in has}
        self.in_style = tag == "style"
        self.in_code += tag in CODE
        for name in FETCHED.get(tag, []):
            if OUTSIDE.match(has.get(name, "")):
                self.outside.append(f"<{tag} {name}={has[name]}>")
        self.outside += STYLE.findall(has.get("style", ""))
        for name in ("href", "src", "data", "xlink:href"):
            if name in has and not OUTSIDE.match(has[name]) and not re.match(r"[a-z]+:", has[name]):
                self.links.append(has[name])

    def handle_data(self, data):
        if self.in_style:
            self.outside += STYLE.findall(data)
        if not self.in_code:
            self.raw += re.findall(r"\S*\^\S*", data)

    def handle_endtag(self, tag):
        self.in_style = False
        self.in_code -= tag in CODE


def check(folder):
    """Faults, and how many pages and links there are."""
    pages, faults, links = {}, [], 0
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if name.endswith((".html", ".svg")):
                with open(path, encoding="utf-8") as file:
                    pages[path] = Page(file.read())
            elif name.endswith(".css"):
                with open(path, encoding="utf-8") as file:
                    faults += [f"{name}: {url}" for url in STYLE.findall(file.read())]
    for path, page in pages.items():
        where = os.path.relpath(path, folder)
        faults += [f"{where} fetches {what}" for what in page.outside]
        if where.startswith("proofs"):
            faults += [f"{where}: {raw}: a formula that is not set" for raw in page.raw]
        if where == "404.html":  # for servers: its links begin at the site's root
            continue
        for link in page.links:
            links += 1
            to, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(to))
                                      if to else path)
            if not os.path.isfile(target):
                faults.append(f"{where}: {link}: there is no such file")
            elif (anchor and target in pages and
                  urllib.parse.unquote(anchor) not in pages[target].names):
                faults.append(f"{where}: {link}: there is no such place")
    return faults, len(pages), links
