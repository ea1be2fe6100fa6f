# SPDX-License-Identifier: Apache-2.0
"""k-means and k-median on arrays: what a release holds, and how it goes in and out."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import tacitdp as td


def test_a_limit_of_memory_changes_nothing(rows):
    options = dict(epsilon=4, delta=1e-6, bounds=(0, 1), insecure_test_seed=3)
    held = td.KMeans(3, **options).fit(rows).release_
    for memory in ("16M", 1 << 30):
        spilled = td.KMeans(3, memory=memory, spill_dir="/var/tmp", **options).fit(rows).release_
        assert spilled.to_json() == held.to_json()
    with pytest.raises(ValueError, match="--memory"):
        td.KMeans(3, memory="1G", method="kvariates", **options).fit(rows)


@pytest.mark.parametrize("kind", [td.KMeans, td.KMedians])
def test_three_groups_are_found(kind, rows):
    km = kind(3, epsilon=2, delta=1e-6, bounds=(0, 1)).fit(rows)
    order = np.argsort(km.cluster_centers_[:, 0])
    # sigma of a center is below 0.01 here; 0.1 is out of reach of chance
    assert np.abs(km.cluster_centers_[order] - [[0.2], [0.5], [0.8]]).max() < 0.1
    assert km.centers_error_.shape == (3, 3) and (km.centers_error_ > 0).all()
    assert np.abs(km.sizes_ - 2000).max() < 500
    assert np.array_equal(np.sort(np.bincount(km.predict(rows))), [2000, 2000, 2000])
    assert not hasattr(km, "labels_")


def test_noise_is_fresh(rows):
    one, two = (td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(rows) for _ in "ab")
    assert not np.array_equal(one.cluster_centers_, two.cluster_centers_)
    assert one.release_.is_private


def test_a_test_seed_repeats_and_says_so(rows):
    one, two = (td.KMeans(3, epsilon=1, bounds=(0, 1), insecure_test_seed=1).fit(rows)
                for _ in "ab")
    assert one.release_.to_json() == two.release_.to_json()
    assert not one.release_.is_private and "seed" in one.release_.why_not_private


def test_release_goes_out_and_in(rows, tmp_path):
    release = td.KMeans("auto", epsilon=1, delta=1e-6, bounds=(0, 1)).fit(rows).release_
    release.save(tmp_path / "r.json")
    again = td.load(tmp_path / "r.json")
    assert again == release == td.Release.from_json(release.to_json())
    assert (tmp_path / "r.json").read_text() == release.to_json()
    assert pickle.loads(pickle.dumps(release)).to_json() == release.to_json()
    assert np.array_equal(again.predict(rows), release.predict(rows))
    assert release.k_choice.verdict in ("clear", "weak", "none", "noisy")
    assert release.card.epsilon == 1 and sum(q.share for q in release.queries) < 1.01
    assert not release.centers.flags.writeable
