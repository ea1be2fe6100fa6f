# SPDX-License-Identifier: Apache-2.0
"""The built site in Chromium, from the file system: it is searched as a reader does it, and no page
is wider than a phone. Used by tools/site."""
import pathlib
import sys
import tempfile
import time

WORD, WANTED = "ledger", "ledgers.html"
PHONE = 390
FOUND = "[...document.querySelectorAll('.md-search-result__link')].map((a) => a.href)"


def found(tab):
    """What a word finds; the index is read by then."""
    tab.run("document.querySelector('.md-search__input').focus()")
    tab.ask("Input.insertText", text=WORD)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        tab.press("ArrowRight")
        links = tab.run(FOUND)
        if links:
            return links
        time.sleep(0.2)
    return []


def searches(tab, page):
    """What is wrong with a search on a page."""
    tab.open(page, 1280)
    links = found(tab)
    faults = [str(event) for event in tab.said("Runtime.exceptionThrown", "Log.entryAdded")]
    faults += [asked["request"]["url"] for asked in tab.said("Network.requestWillBeSent")
               if not asked["request"]["url"].startswith(("file:", "data:", "about:"))]
    if not any(WANTED in link for link in links):
        faults.append(f"{WORD!r} finds {links[:5]}")
    return faults


def too_wide(tab, page):
    tab.open(page, PHONE)
    width = tab.run("document.documentElement.scrollWidth")
    return [f"is {width} wide on a phone of {PHONE}"] if width > PHONE else []


def check(tests, folder):
    """Whether all is well, on pages at the top and below; None without chromium."""
    sys.path.insert(0, tests)
    import browser
    if browser.PROGRAM is None:
        return None
    root = pathlib.Path(folder).resolve()
    with tempfile.TemporaryDirectory() as profile:
        tab = browser.Browser(profile)
        faults = [(name, fault) for name in ("index.html", "proofs/sums.proof.html")
                  for fault in searches(tab, root / name)]
        faults += [(page.relative_to(root), fault) for page in sorted(root.glob("**/*.html"))
                   if page.name != "404.html" for fault in too_wide(tab, page)]
        tab.close()
    for name, fault in faults:
        print(f"# {name}: {fault[:300]}")
    return not faults
