# SPDX-License-Identifier: Apache-2.0
"""A release for people: numbers with as many digits as their noise leaves, and HTML for
notebooks."""

from __future__ import annotations

import datetime
import math
from typing import Any, Optional

from tacitdp import _html
from tacitdp.release import Feature, Release, plain

COLUMNS = 12  # of a table in a notebook; to_frame has all
CLUSTERS = 40
SHORT = 40  # letters of a name


def short(name: str) -> str:
    """A name as it can be shown: plain, and not too long."""
    text = plain(name)
    return text if len(text) <= SHORT else text[:SHORT - 1] + "…"


def rounded(value: float, error: Optional[float]) -> str:
    """A number with its error, to two digits of the error: 34.21 ± 0.15."""
    if math.isnan(value):
        return "?"
    if error is None or not math.isfinite(error) or error <= 0:
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    digits = 1 - math.floor(math.log10(error))
    if digits > 12:
        return f"{value:.12g} ± {error:.2g}"
    if digits < 0:
        return f"{round(value, digits):,.0f} ± {round(error, digits):,.0f}"
    return f"{value:,.{digits}f} ± {error:,.{digits}f}"


def day(days: float) -> str:
    """Days since 1970-01-01 as a date."""
    try:
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days=math.floor(days))).isoformat()
    except (OverflowError, ValueError):
        return "?"


def shown(feature: Feature, value: float, error: Optional[float] = None) -> str:
    """A center's coordinate in the words of its column: shares in percent, dates as dates."""
    if feature.kind == "category":
        if error is None or not math.isfinite(error):
            return f"{100 * value:.1f} %"
        return rounded(100 * value, 100 * error) + " %"
    if feature.kind == "date":
        if error is None or not math.isfinite(error):
            return day(value)
        days = f"{error:,.0f}" if error >= 10 else f"{max(error, 0.1):.2g}"
        return f"{day(value)} ± {days} d"
    return rounded(value, error)


def feature_of(release: Release) -> list[Feature]:
    """The feature of each column of a release."""
    return [feature for feature in release.features for _ in range(feature.width)]


def headline(release: Release) -> str:
    """What it is, in plain words."""
    kind = {"kmeans": "groups of rows and their means", "kmedian": "groups of rows and their "
            "medians", "subspace": "subspaces that rows lie near",
            "cocluster": "groups of rows"}.get(release.family, "clusters")
    text = f"{release.k} {kind}"
    if release.family == "cocluster":
        text += f" and {release.l or 0} groups of columns"
    sizes = release.sizes
    if sizes is not None and release.k > 0 and not math.isnan(float(sizes.sum())):
        text += f"; about {max(0.0, float(sizes.sum())):,.0f} rows in all"
    return text


def promise(release: Release) -> str:
    """The card in a sentence."""
    if not release.is_private:
        return f"NOT PRIVATE: {plain(release.why_not_private or '')}"
    card = release.card
    ledger = "; charged to a ledger" if card.in_ledger else ""
    return f"{plain(release.guarantee)}; {len(release.queries)} queries were asked{ledger}."


def page(release: Release) -> str:
    """A release as HTML for a notebook: a few kilobytes without script or style of its own. The
    library's page (`Release.to_html`) is a whole document; a notebook would keep its hundreds of
    kilobytes with every output, run none of its script, and take its style for all cells."""
    said = promise(release)
    parts = [_html.paragraph(said) if release.is_private else _html.warning(said)]
    if release.family == "cocluster":
        parts.append(_blocks(release))
    elif release.family == "subspace":
        parts.append(_directions(release))
    else:
        parts.append(_centers(release))
    notes = release.notes
    parts.append(_html.folded(f"{len(notes)} notes to read before the numbers"
                              if len(notes) != 1 else "1 note to read before the numbers", notes))
    return _html.page(headline(release), parts)


def text(release: Release) -> str:
    """A release as lines of text: its table, notes and promise."""
    heads, rows, hidden = _center_cells(release)
    if release.family == "cocluster":
        heads, rows = _block_cells(release)
    elif release.family == "subspace":
        heads, rows = _direction_cells(release)
    lines = [repr(release)]
    if rows:
        width = [max(map(len, column)) for column in zip(heads, *rows)]
        lines += ["  ".join(f"{cell:>{w}}" for cell, w in zip(row, width)).rstrip()
                  for row in (heads, *rows)]
    left = release.k - CLUSTERS
    lines += [f"and {count} more {what}; to_frame() has all" for count, what in
              ((hidden if rows else 0, "columns"), (left, "clusters")) if count > 0]
    lines += ["note: " + plain(note) for note in release.notes]
    return "\n".join([*lines, plain(release.guarantee)])


def _more(left: int, what: str) -> str:
    return _html.paragraph(f"and {left} more {what}; to_frame() has all") if left > 0 else ""


def _size(release: Release, cluster: int) -> str:
    sizes = release.sizes
    return "?" if sizes is None else rounded(float(sizes[cluster]), release.sizes_error)


def _center_cells(release: Release) -> tuple[list[str], list[list[str]], int]:
    """Heads and cells of the table of centers, and how many columns it leaves out."""
    centers, errors = release.centers, release.centers_error
    if centers is None:
        return [], [], 0
    features, names = feature_of(release), release.columns
    width = min(len(names), COLUMNS)
    rows = [[str(i), _size(release, i),
             *(shown(features[j], float(centers[i, j]),
                     None if errors is None else float(errors[i, j])) for j in range(width))]
            for i in range(min(release.k, CLUSTERS))]
    return ["cluster", "size", *map(short, names[:width])], rows, len(names) - width


def _centers(release: Release) -> str:
    heads, rows, hidden = _center_cells(release)
    if not heads:
        return ""
    for i, row in enumerate(rows):
        row.append(", ".join(f"{short(d.column)} {d.strength:.1f} "
                             f"{'above' if d.direction > 0 else 'below'}"
                             for d in release.distinct(i)[:2]))
    legend = ("±: what the privacy noise does to a number, one standard deviation; not how much "
              "rows differ. What sets a cluster apart: standard deviations of all rows above or "
              "below their mean.")
    return (_html.table([*heads, "what sets it apart"], rows, numbers=True)
            + _more(hidden, "columns") + _more(release.k - len(rows), "clusters")
            + _html.paragraph(legend))


def _block_cells(release: Release) -> tuple[list[str], list[list[str]]]:
    table = release.table
    if table is None:
        return [], []
    return (["row cluster", *(column_cluster(release, j) for j in range(table.shape[1]))],
            [[str(i), *(rounded(float(value), release.table_error) for value in line)]
             for i, line in enumerate(table[:CLUSTERS])])


def _blocks(release: Release) -> str:
    heads, rows = _block_cells(release)
    if not heads:
        return ""
    largest = [f"{column_cluster(release, j)}: " + ", ".join(top_columns(release, j, 8))
               for j in range(release.l or 0)]
    return (_html.table(heads, rows, numbers=True) + _more(release.k - len(rows), "row clusters")
            + _html.folded("columns that are surest of their cluster", largest))


def column_cluster(release: Release, number: int) -> str:
    """What to call a cluster of columns."""
    clusters = release.column_clusters
    count = 0 if clusters is None else int((clusters == number).sum())
    columns = f"{count} column" + ("s" if count != 1 else "")
    return f"rest ({columns})" if number == release.l else f"{number} ({columns})"


def top_columns(release: Release, cluster: int, most: int) -> list[str]:
    """Columns of a cluster, the surest first."""
    clusters, z, names = release.column_clusters, release.column_z, release.columns
    if clusters is None:
        return []
    mine = [j for j in range(len(names)) if clusters[j] == cluster]
    if z is not None:
        sure: Any = z
        mine.sort(key=lambda j: (math.isnan(sure[j]), -sure[j] if not math.isnan(sure[j]) else 0))
    return [short(names[j]) for j in mine[:most]]


def _direction_cells(release: Release) -> tuple[list[str], list[list[str]]]:
    bases, profile, names = release.subspaces, release.profile, release.columns
    if bases is None:
        return [], []
    rows = []
    for i in range(min(release.k, CLUSTERS)):
        for a in range(bases.shape[2]):
            order = sorted(range(len(names)), key=lambda j: -abs(bases[i, j, a]))[:4]
            rows.append([str(i), _size(release, i) if a == 0 else "", str(a),
                         "?" if profile is None else f"{profile[i, a]:.3g}",
                         ", ".join(f"{short(names[j])} {bases[i, j, a]:+.2f}" for j in order)])
    return ["subspace", "size", "direction", "reach", "largest loadings"], rows


def _directions(release: Release) -> str:
    heads, rows = _direction_cells(release)
    return _html.table(heads, rows) + _more(release.k - CLUSTERS, "subspaces") if heads else ""


def estimator_page(estimator: Any) -> str:
    """An estimator as HTML: what it was told, and what it found."""
    said = _html.paragraph(repr(estimator))
    release: Optional[Release] = getattr(estimator, "release_", None)
    if release is None:
        return _html.page("Not fitted yet", [said])
    return said + page(release)
