# SPDX-License-Identifier: Apache-2.0
"""A release says in Python what its JSON says."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tacitdp as td


def subspace_rows() -> np.ndarray:
    rng = np.random.default_rng(2)
    rows = np.zeros((6000, 4))
    rows[:3000, :2] = rng.uniform(-0.7, 0.7, (3000, 2))
    rows[3000:, 2:] = rng.uniform(-0.7, 0.7, (3000, 2))
    return rows


def check_common(release, text):
    privacy = text["privacy"]
    assert release.family == text["family"] and release.method == text["method"]
    assert release.notes == text["notes"] and release.rounds == text["rounds"]
    assert release.card.epsilon == privacy["epsilon"] and release.card.delta == privacy["delta"]
    assert len(release.queries) == len(privacy["queries"])
    for query, said in zip(release.queries, privacy["queries"]):
        assert query.what == said["what"] and query.kind == said["kind"]
        assert query.distribution == said["noise"] and query.answers == said["answers"]
    assert release.is_private and release.why_not_private is None
    assert "differentially private" in release.guarantee
    assert repr(release).startswith("<Release") and release.guarantee in str(release)


def numbers(value):
    return np.array([[np.nan if x is None else x for x in row] for row in value], dtype=float)


def test_centers(rows):
    release = td.KMeans("auto", epsilon=2, delta=1e-6, bounds=(0, 1)).fit(rows).release_
    text = json.loads(release.to_json())
    check_common(release, text)
    assert np.array_equal(release.centers, numbers(text["centers"]))
    assert release.k == len(text["centers"]) and release.columns == text["columns"]
    assert release.domain.lower.tolist() == [0, 0, 0] and release.domain.scale == "range"
    assert release.k_choice.best >= 1 and release.curve.shape[0] >= release.k
    assert release.cells > 0 and release.cut_from is None
    assert release.spreads.shape == release.centers.shape == release.spreads_error.shape
    assert release.overall.mean.shape == (3,) and 0 <= release.share_at_bounds <= 1
    assert all(d.column in release.columns for d in release.distinct(0))
    for name in ("subspaces", "offsets", "profile", "table", "column_clusters", "labels", "l",
                 "q", "requested"):
        assert getattr(release, name) is None, name


def test_features_and_frames():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame({"age": rng.uniform(20, 80, 4000), "sex": rng.choice(["F", "M"], 4000),
                              "spend": rng.lognormal(5, 1, 4000)})
    release = td.KMeans(2, epsilon=2, delta=1e-6, bounds={"age": (0, 110), "spend": (1, 1e6)},
                        categories={"sex": ["F", "M"]}, transforms={"spend": "log"}).fit(
                            frame).release_
    assert [f.name for f in release.features] == ["age", "sex", "spend"]
    assert [f.kind for f in release.features] == ["number", "category", "number"]
    assert release.features[2].centers_are == "geometric mean"
    table = release.to_frame()
    assert list(table.columns) == ["size", "age", "sex=F", "sex=M", "spend"]
    assert np.array_equal(table["age"], release.centers[:, 0])


def test_subspaces():
    rows = subspace_rows()
    sc = td.SubspaceClustering(2, 2, epsilon=4, delta=1e-6, radius=1).fit(rows)
    release = sc.release_
    check_common(release, json.loads(release.to_json()))
    for basis in sc.subspaces_:
        assert np.allclose(basis.T @ basis, np.eye(2))
    # the planes of columns 1-2 and 3-4: projectors within .2, far above the noise here
    found = sorted((basis @ basis.T)[0, 0] for basis in sc.subspaces_)
    assert found[0] < 0.2 and found[1] > 0.8
    assert release.centers is None and release.domain.radius == 1
    assert np.array_equal(sc.transform(rows).argmin(1), sc.predict(rows))
    assert sc.score(rows) <= 0
    affine = td.SubspaceClustering(2, 1, affine=True, epsilon=4, delta=1e-6,
                                   bounds=(-1, 1)).fit(rows)
    assert affine.offsets_.shape == (2, 4)


def test_coclusterings():
    counts = np.random.default_rng(4).poisson(np.kron([[4, 0.1], [0.1, 4]], np.ones((1500, 10))))
    cc = td.CoClustering(2, 2, epsilon=4, delta=1e-6).fit(counts)
    release = cc.release_
    check_common(release, json.loads(release.to_json()))
    assert np.array_equal(cc.column_labels_[:10], np.full(10, cc.column_labels_[0]))
    assert cc.column_labels_[0] != cc.column_labels_[10]
    assert cc.table_.shape[0] == release.k == 2 and release.l == 2
    assert release.requested == (2, 2) and release.table_unit == "rows"
    assert 0.5 < release.tau[0] <= 1 and release.table_error > 0
    labels = cc.predict(counts)
    assert len(set(labels[:1500])) == 1 and labels[0] != labels[-1]
    with pytest.raises(ValueError, match="X has 3 features"):
        cc.predict(counts[:, :3])
    entry = td.CoClustering(2, 2, epsilon=4, unit="entry", row_labels=0.2).fit(counts)
    assert entry.release_.labels.shape == (3000,)
    pytest.importorskip("pandas")
    assert release.to_frame().shape[0] == 2


def test_names_that_would_mislead_are_shown_plainly(rows):
    pandas = pytest.importorskip("pandas")
    names = ["a\x1b[31m", "b\u202e", "c"]
    release = td.KMeans(2, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(
        pandas.DataFrame(rows, columns=names)).release_
    assert release.columns[1:] == names[1:]
    assert "\x1b" not in str(release) and "\u202e" not in str(release)


def test_equal_and_hash(rows):
    one, two = (td.KMeans(2, epsilon=1, bounds=(0, 1)).fit(rows).release_ for _ in "ab")
    assert one != two and len({one, two, td.Release.from_json(one.to_json())}) == 2
    assert one != "a release"


def test_rows_of_counts_are_placed_from_every_form(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    counts = np.random.default_rng(6).poisson(np.kron([[4, 0.1], [0.1, 4]], np.ones((300, 6))))
    path = tmp_path / "t.csv"
    path.write_text("row,col,count\n" + "".join(
        f"{i},{j},{counts[i, j]}\n" for i, j in zip(*np.nonzero(counts))))
    cc = td.CoClustering(2, 2, epsilon=4, delta=1e-6).fit(td.File(path, shape=(None, 12)))
    labels = cc.predict(path)
    assert np.bincount(labels).tolist() == [300, 300]
    for form in (counts, sparse.csr_array(counts)):
        with pytest.warns(UserWarning, match="feature names"):
            assert np.array_equal(cc.predict(form), labels)
        assert np.array_equal(cc.release_.predict(form), labels)
