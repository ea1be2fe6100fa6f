# SPDX-License-Identifier: Apache-2.0
"""Reports in a real browser: nothing goes wrong, nothing is fetched, the slider moves by keyboard,
and the numbers are those of the release."""

from __future__ import annotations

import base64
import csv
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import browser as chromium

HOSTILE = ["age", "<img src=x onerror=alert(1)>", "\"'></script><script>alert(2)</script>",
           "x" * 300]
KMEANS = ["-k", "4", "--epsilon", "2", "--delta", "1e-6", "--bounds", "0:1",
          "--insecure-test-seed", "5", "-q"]
RELEASES = ["kmeans", "kmedian", "wide", "subspace", "cloud", "cocluster"]
PAGES = [*RELEASES, "changes", "series", "ledger"]
NAMED = "<img src=x onerror=alert(3)>.csv"  # a data set

pytestmark = pytest.mark.skipif(chromium.PROGRAM is None, reason="chromium is not installed")

# Of every element with a text of its own the contrast with what is behind it, below AA.
FAINT = """(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a] = parts(getComputedStyle(at).backgroundColor);
      if (a === undefined || a > 0) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility() || element.matches("script, style, option")) continue;
    if (![...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(element);
    const ink = light(parts(element instanceof SVGElement ? style.fill : style.color));
    const paper = light(behind(element));
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) faint.push(element.textContent.slice(0, 40) + " " + ratio);
  }
  return faint;
})()"""
# What a screen reader would miss.
UNSAID = """(() => {
  const bad = [];
  for (const svg of document.querySelectorAll("svg"))
    if (!svg.matches("[aria-label], [aria-hidden=true]")) bad.push("svg");
  for (const field of document.querySelectorAll("input, select"))
    if (!field.labels.length) bad.push(field.id);
  for (const table of document.querySelectorAll("table"))
    if (!table.querySelector("th[scope]")) bad.push("table");
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  if (new Set(ids).size !== ids.length) bad.push("ids");
  let last = 0;
  for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
    const level = +h.tagName[1];
    if (level > last + 1) bad.push(h.textContent);
    last = level;
  }
  return bad;
})()"""


@pytest.fixture(scope="module")
def pages(command, tmp_path_factory):
    """A folder with NAME.html for each of PAGES, and NAME.json for each of RELEASES."""
    folder = tmp_path_factory.mktemp("pages")

    def run(*words):
        done = subprocess.run([command, *words], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    rng = np.random.default_rng(3)
    centers = rng.uniform(0.2, 0.8, (4, 4))
    with open(folder / "people.csv", "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(HOSTILE)
        rows = np.concatenate([rng.normal(c, 0.05, (1000, 4)) for c in centers])
        writer.writerows(rows.round(6))
    run("kmeans", "people.csv", *KMEANS, "-o", "kmeans.json")
    run("kmedian", "people.csv", *KMEANS, "-o", "kmedian.json")
    run("generate", "mixture", "--rows", "20000", "--columns", "100", "--clusters", "100", "-q",
        "-o", "wide.npy")
    run("kmeans", "wide.npy", "-k", "100", *KMEANS[2:], "-o", "wide.json")
    subspace = ["-k", "3", "-q", "3", "--epsilon", "2", "--delta", "1e-6", "--radius", "1",
                "--insecure-test-seed", "5", "--quiet"]
    run("generate", "subspaces", "--rows", "10000", "-o", "union.csv")
    run("subspace", "union.csv", *subspace, "-o", "subspace.json")
    np.save(folder / "cloud.npy", rng.normal(0, 0.3, (5000, 5)))
    run("subspace", "cloud.npy", *subspace, "-o", "cloud.json")
    run("generate", "counts", "--rows", "3000", "--columns", "60", "-q", "-o", "baskets.csv")
    run("cocluster", "baskets.csv", "--rows", "4", "--cols", "4", "--epsilon", "2", "--delta",
        "1e-6", "--shape", "x60", "--insecure-test-seed", "5", "-q", "-o", "cocluster.json")
    for name in RELEASES:
        run("report", f"{name}.json", "-q", "-o", f"{name}.html")
    run("kmeans", "people.csv", "-k", "3", *KMEANS[2:], "-o", "fewer.json")
    run("report", "kmeans.json", "fewer.json", "-q", "-o", "changes.html")
    run("report", "kmeans.json", "fewer.json", "kmeans.json", "-q", "-o", "series.html")
    shutil.copy(folder / "people.csv", folder / NAMED)
    run("ledger", "init", NAMED, "--epsilon", "4", "--delta", "1e-5", "--bounds", "0:1", "-q")
    for k in ("2", "3"):
        run("kmeans", NAMED, "-k", k, "--epsilon", "1", "--delta", "1e-6", "-q", "-o", "paid.json")
    run("ledger", "report", NAMED, "-q", "-o", "ledger.html")
    return folder


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    made = chromium.Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_a_word_to_anybody(tab, pages, name, width):
    page = pages / f"{name}.html"
    tab.open(page, width)
    for _ in range(2):  # a round trip: what the page did by then has been said
        tab.run("1")
    assert tab.said("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded") == []
    asked = [event["request"]["url"] for event in tab.said("Network.requestWillBeSent")]
    assert asked == [page.as_uri()]
    assert tab.run("document.documentElement.scrollWidth") <= width, "it is wider than its window"
    assert tab.run(UNSAID) == []
    for dark in (False, True):
        tab.open(page, width, dark=dark)
        assert tab.run(FAINT) == []
        assert tab.picture()[:4] == b"\x89PNG"
    assert tab.paper()[:5] == b"%PDF-"


def shown(tab):
    return tab.run("[...document.querySelectorAll('.cut')].filter((c) => !c.hidden).map((c) =>"
                   "[+c.dataset.k, JSON.parse(c.querySelector('.numbers').textContent)])")


def close(numbers, wanted):
    return np.allclose(np.array(numbers, float), np.array(wanted, float), rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("name", ["kmeans", "kmedian"])
def test_the_slider_shows_the_numbers_of_recut(tab, pages, command, name):
    release = json.loads((pages / f"{name}.json").read_text())
    tab.open(pages / f"{name}.html", 1280)
    (k, numbers), = shown(tab)
    assert k == 4 and close(numbers["center"], release["centers"])
    assert close(numbers["size"], release["sizes"])
    tab.run("document.getElementById('k').focus()")
    for key, wanted in [("ArrowRight", 5), ("ArrowRight", 6), ("Home", 1), ("ArrowRight", 2)]:
        tab.press(key)
        (k, numbers), = shown(tab)
        assert k == wanted and tab.run("document.querySelector('#k-shown').textContent").startswith(
            f"{k} group")
        if k == 4:
            continue
        subprocess.run([command, "recut", f"{name}.json", "-k", str(k), "-q", "-o", "cut.json",
                        *(["--median"] if name == "kmedian" else [])], cwd=pages, check=True,
                       capture_output=True)
        cut = json.loads((pages / "cut.json").read_text())
        assert close(numbers["center"], cut["centers"]) and close(numbers["size"], cut["sizes"])
        assert tab.run("document.querySelectorAll('#pair-picture .dot').length") == k
    assert tab.said("Runtime.exceptionThrown") == []


def test_any_two_columns_are_drawn(tab, pages):
    tab.open(pages / "kmeans.html", 1280)
    before = tab.run("document.getElementById('pair-picture').innerHTML")
    tab.run("(() => { const s = document.getElementById('up'); s.value = '2';"
            "s.dispatchEvent(new Event('change')); })()")
    assert tab.run("document.getElementById('pair-picture').innerHTML") != before
    assert tab.run("document.querySelectorAll('#pair-picture .error').length") == 4


@pytest.mark.parametrize("name", [name for name in RELEASES if name != "wide"])
def test_the_page_carries_its_release(tab, pages, name):
    tab.open(pages / f"{name}.html", 1280)
    link = tab.run("document.querySelector('a[download]').href")
    carried = json.loads(base64.b64decode(link.split(",", 1)[1]))
    assert carried == json.loads((pages / f"{name}.json").read_text())


def test_the_ledger_is_its_summary_and_history(tab, pages, command):
    said = [json.loads(subprocess.run([command, "ledger", what, NAMED, "--json"], cwd=pages,
                                      check=True, capture_output=True).stdout)
            for what in ("show", "history")]
    tab.open(pages / "ledger.html", 1280)
    title = tab.run("document.querySelector('h1').textContent")
    left = np.floor(1000 * (1 - said[0]["spent"])) / 10
    assert title == f"{left:.1f} % of the budget of {NAMED} is left"
    lines = tab.run("[...document.querySelectorAll('#entries tbody tr')].map((r) =>"
                    "[r.cells[0].textContent, r.cells[1].textContent, r.cells[4].textContent])")
    assert lines == [[str(e["sequence"]), e["time"], e["what"]] for e in said[1]]
    runs = [e for e in said[1] if e["kind"] == "reserve"]
    lines = tab.run("[...document.querySelectorAll('#runs tbody tr')].map((r) =>"
                    "[r.cells[0].textContent, r.cells[1].textContent, r.cells[2].textContent])")
    assert lines == [[e["time"], e["what"], "a release"] for e in runs]
    assert tab.run("document.querySelectorAll('circle').length") == len(runs)


def test_names_of_columns_are_text(tab, pages):
    tab.open(pages / "kmeans.html", 1280)
    heads = tab.run("[...document.querySelectorAll('.cut:not([hidden]) thead th')]"
                    ".map((e) => e.textContent)")
    assert heads[1:4] == HOSTILE[:3] and re.fullmatch("x{80}…", heads[4])
    assert tab.run("document.images.length") == 0


def test_a_cloud_is_said_to_have_no_groups(tab, pages):
    for name, said in [("cloud", 1), ("subspace", 0)]:
        tab.open(pages / f"{name}.html", 1280)
        assert tab.run("document.querySelectorAll('main .notes.bad').length") == said


@pytest.mark.skipif(shutil.which("tidy") is None, reason="tidy is not installed")
@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_valid(pages, name):
    done = subprocess.run(["tidy", "-q", "-e", "-utf8", f"{name}.html"], cwd=pages,
                          capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert (pages / f"{name}.html").stat().st_size < 500_000


def test_python_makes_the_same_page(pages):
    td = pytest.importorskip("tacitdp")
    for name in RELEASES:
        assert td.load(pages / f"{name}.json").to_html() == (pages / f"{name}.html").read_text(
            encoding="utf-8")
