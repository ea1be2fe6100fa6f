# SPDX-License-Identifier: Apache-2.0
"""Releases for people: HTML that holds nothing of a release as markup, and pictures."""

from __future__ import annotations

import html.parser
import json

import numpy as np
import pytest

import tacitdp as td
from tacitdp._show import day, rounded

SEED = dict(insecure_test_seed=5)
EVIL = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "a'b\" onclick='x",
        "\u202egnp.exe\u2066", "$\\href{javascript:alert(1)}{x}$", "& &lt; \\(x\\)"]


class Reader(html.parser.HTMLParser):
    """Tags, attributes, and text with each piece that stands alone."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.names, self.pieces = [], set(), []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.pieces.append(data)


ALLOWED = {"div", "p", "b", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "ul",
           "li", "span"}


def check_harmless(text):
    read = Reader(text)
    assert set(read.tags) <= ALLOWED and read.names <= {"style", "class"}
    assert "\u202e" not in text and "\u2066" not in text
    assert "javascript:" not in text or "<span>$</span>" in text
    for piece in read.pieces:  # marks of mathematics open nothing where they stand alone
        assert piece in ("$", "\\") or ("$" not in piece and "\\" not in piece)
    return read


@pytest.fixture(scope="module")
def evil():
    """A release whose maker writes what he likes."""
    X, _ = td.make_mixture(5000, len(EVIL), 3)
    release = td.KMeans(3, epsilon=2, delta=1e-6, bounds=(0, 1), **SEED).fit(X).release_
    text = json.loads(release.to_json())

    def named(value):
        if isinstance(value, str):
            for i, name in enumerate(EVIL):
                if value == f"c{i + 1}":
                    return name
            return value
        if isinstance(value, list):
            return [named(one) for one in value]
        if isinstance(value, dict):
            return {named(key): named(one) for key, one in value.items()}
        return value

    made = named(text)
    made["notes"] = list(EVIL)
    return td.Release.from_json(json.dumps(made))


def test_nothing_in_a_release_is_markup(evil):
    assert evil.columns == EVIL and evil.notes == EVIL
    read = check_harmless(evil._repr_html_())
    said = "".join(read.pieces)
    assert "<script>alert(1)</script>" in said  # as text, it may be seen
    assert "script" not in read.tags and "img" not in read.tags
    page = evil.to_html()
    assert "<script>alert(1)" not in page and page.count("<script>") == 1
    assert len(evil._repr_html_()) < 20_000 < len(page)  # a notebook keeps the small one


def test_a_comparison_and_a_fitted_estimator_are_harmless(evil):
    check_harmless(td.compare(evil, td.recut(evil, 2))._repr_html_())
    km = td.KMeans(2, epsilon=1, bounds={"<script>x</script>": (0, 1)})
    check_harmless(km._repr_html_())
    km.release_ = evil
    check_harmless(km._repr_html_())


@pytest.fixture(scope="module")
def families():
    X, _ = td.make_mixture(5000, 3, 4)
    union, _, _ = td.make_subspaces(6000, 5, 2, 2)
    counts, _ = td.make_counts(3000, 40, 3, 3)
    budget = dict(epsilon=4, delta=1e-6, **SEED)
    return {"kmeans": td.KMeans("auto", bounds=(0, 1), **budget).fit(X),
            "kmedian": td.KMedians(3, bounds=(0, 1), **budget).fit(X),
            "grid": td.KMeans(3, bounds=(0, 1), method="lsh-tree", **budget).fit(X),
            "ball": td.KMeans(3, radius=2, **budget).fit(X),
            "one": td.KMeans(1, bounds=(0, 1), **budget).fit(X),
            "wide": td.KMeans(3, bounds=(0, 1), **budget).fit(np.tile(X, 14)),
            "subspace": td.SubspaceClustering(2, 2, radius=1, **budget).fit(union),
            "cocluster": td.CoClustering(3, 3, **budget).fit(counts)}


def test_every_family_has_a_page(families):
    for name, fitted in families.items():
        read = check_harmless(fitted._repr_html_())
        said = "".join(read.pieces)
        assert "NOT PRIVATE" in said, name  # made with a test seed
        assert "table" in read.tags
    assert "more columns" in families["wide"].release_._repr_html_()
    X, _ = td.make_mixture(2000)
    private = td.KMeans(2, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(X)
    assert "(1, 1e-06)-differentially private" in private._repr_html_()


def test_every_family_has_a_picture(families, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    for name, fitted in families.items():
        figure = fitted.release_.plot()
        figure.savefig(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 5000
    mine = Figure()
    assert families["kmeans"].release_.plot(mine) is mine


def test_names_are_no_mathematics_in_a_picture(evil, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    evil.plot().savefig(tmp_path / "evil.png")  # bad mathematics would raise


def test_noise_is_hatched(tmp_path):
    pytest.importorskip("matplotlib")
    from tacitdp._plot import noisy, places

    X, _ = td.make_mixture(20000, 3, 4)
    clear = td.KMeans(4, epsilon=10, delta=1e-6, bounds=(0, 1), **SEED).fit(X).release_
    drowned = td.KMeans(4, epsilon=0.01, bounds=(0, 1), **SEED).fit(X[:500]).release_
    assert not noisy(clear).any()
    assert noisy(drowned).mean() > 0.5
    assert np.allclose(places(clear, clear.centers), np.clip(clear.centers, 0, 1))


def test_plot_without_matplotlib(families, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        families["kmeans"].release_.plot()


@pytest.mark.parametrize("value, error, text", [
    (34.2167, 0.153, "34.22 ± 0.15"), (1379.6, 31.2, "1,380 ± 31"), (12345, 678, "12,340 ± 680"),
    (0.5, float("nan"), "0.5"), (float("nan"), 1, "?"), (-2.5, 10, "-2 ± 10"), (1, 0, "1"),
    (23100.5, None, "23,100")])
def test_numbers_have_the_digits_that_noise_leaves(value, error, text):
    assert rounded(value, error) == text


def test_days():
    assert day(0) == "1970-01-01" and day(-0.5) == "1969-12-31" and day(1e18) == "?"
    assert day(float("nan")) == "?"
