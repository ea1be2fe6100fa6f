# SPDX-License-Identifier: Apache-2.0
"""Pictures of a release, with matplotlib: of released numbers alone, so as private as they are.
Colors are readable with any color vision and in print; hatched cells are mostly noise."""

from __future__ import annotations

import io
import math
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from tacitdp._show import column_cluster, feature_of, headline, short, shown, top_columns
from tacitdp.release import Release

Floats = npt.NDArray[np.float64]
INK, BAR, ERROR = "#222222", "#0072b2", "#222222"
COLUMNS, CLUSTERS, SUBSPACES = 30, 40, 8
CELLS_WITH_TEXT = 150


def plot(release: Release, figure: Any = None) -> Any:
    """Draws a release and gives the figure."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plot needs matplotlib: pip install matplotlib") from None
    draw = {"cocluster": _blocks, "subspace": _loadings}.get(release.family, _centers)
    with matplotlib.rc_context({"font.size": 9, "text.color": INK, "axes.labelcolor": INK,
                                "xtick.color": INK, "ytick.color": INK, "hatch.linewidth": 0.6,
                                "figure.facecolor": "white", "axes.facecolor": "white"}):
        if figure is None:
            figure = _new_figure(Figure)
        figure.set_layout_engine("constrained")
        figure.set_facecolor("white")
        draw(release, figure)
        title = headline(release)
        if not release.is_private:
            title = "NOT PRIVATE: " + title
        figure.suptitle(_text(title), fontsize=11, x=0.01, ha="left", weight="bold")
    return figure


def _new_figure(plain_figure: Any) -> Any:
    """A figure that shows itself at the end of a notebook's cell, once. Elsewhere one of pyplot,
    where that is in use, so that its windows show it; else one alone."""
    import sys

    notebook = "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None
    if "matplotlib.pyplot" in sys.modules and not notebook:
        return sys.modules["matplotlib.pyplot"].figure()
    figure = plain_figure()
    figure._repr_png_ = lambda: _png(figure)
    return figure


def _png(figure: Any) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=100)
    return out.getvalue()


def _text(text: str) -> str:
    """No name is mathematics."""
    return text.replace("$", r"\$")


def _quiet(axes: Any) -> None:
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)


# ---- centers ----

def places(release: Release, centers: Floats) -> Floats:
    """Where values lie in their declared ranges, 0 to 1; seen as the clustering saw them."""
    domain = release.domain
    assert domain is not None
    if domain.lower is not None and domain.upper is not None:
        lower, upper = domain.lower, domain.upper
    else:
        middle = np.zeros(centers.shape[1]) if domain.center is None else domain.center
        lower, upper = middle - domain.radius, middle + domain.radius
    out = np.empty_like(centers)
    for j, feature in enumerate(feature_of(release)):
        see = {"log": np.log, "log1p": np.log1p, "sqrt": np.sqrt}.get(feature.transform,
                                                                      lambda value: value)
        with np.errstate(all="ignore"):
            low, high, values = see(lower[j]), see(upper[j]), see(centers[:, j])
        out[:, j] = (values - low) / (high - low) if high > low else 0.5
    return np.clip(out, 0, 1)


def noisy(release: Release) -> npt.NDArray[np.bool_]:
    """Cells of which noise says more than the rows: its standard deviation is above half of that
    of the column's centers, or above an eighth of the column's range."""
    centers, errors = release.centers, release.centers_error
    assert centers is not None
    if errors is None:
        return np.zeros(centers.shape, dtype=bool)
    domain = release.domain
    wide = np.full(centers.shape[1], np.inf)
    if domain is not None and domain.lower is not None and domain.upper is not None:
        wide = (domain.upper - domain.lower) / 8
    elif domain is not None:
        wide = np.full(centers.shape[1], domain.radius / 4)
    differ = centers.std(axis=0) / 2 if release.k > 1 else wide
    out: npt.NDArray[np.bool_] = ~(errors <= np.minimum(differ, wide))
    return out & ~np.isnan(errors)


def _centers(release: Release, figure: Any) -> None:
    centers = release.centers
    assert centers is not None
    height, width = min(release.k, CLUSTERS), min(centers.shape[1], COLUMNS)
    curve = release.curve
    tall = 1.5 + 0.34 * height + (1.9 if curve is not None else 0)
    figure.set_size_inches(min(16, 3.6 + max(3.0, 0.85 * width)), max(2.8, tall))
    grid = figure.add_gridspec(2 if curve is not None else 1, 2,
                               width_ratios=[max(3.0, 0.85 * width), 2.2],
                               height_ratios=[max(1.6, 0.36 * height + 0.6), 1.6]
                               if curve is not None else None)
    left = figure.add_subplot(grid[0, 0])
    _heat_of_centers(release, figure, left, height, width)
    _sizes(release, figure.add_subplot(grid[0, 1], sharey=left), height)
    if curve is not None:
        _curve(release, figure.add_subplot(grid[1, :]), curve)


def _heat_of_centers(release: Release, figure: Any, axes: Any, height: int, width: int) -> None:
    centers = release.centers
    assert centers is not None
    features, names = feature_of(release), release.columns
    heat = places(release, centers)[:height, :width]
    image = axes.pcolormesh(heat, cmap="cividis", vmin=0, vmax=1, edgecolors="white", linewidth=1)
    hatched = noisy(release)[:height, :width]
    _hatch(axes, hatched, heat < 0.55)
    if height * width <= CELLS_WITH_TEXT:
        for i in range(height):
            for j in range(width):
                axes.text(j + 0.5, i + 0.5, _text(_brief(shown(features[j],
                                                               float(centers[i, j])))),
                          ha="center", va="center", fontsize=8,
                          color="white" if heat[i, j] < 0.55 else INK)
    _name_columns(axes, [short(name) for name in names[:width]])
    axes.set_yticks(np.arange(height) + 0.5, [str(i) for i in range(height)])
    axes.set_ylabel("cluster")
    axes.invert_yaxis()
    _quiet(axes)
    left_out = [f"{len(names) - width} more columns" if len(names) > width else "",
                f"{release.k - height} more clusters" if release.k > height else ""]
    said = "; ".join(["hatched: mostly noise"] * bool(hatched.any())
                     + [one for one in left_out if one])
    if said:
        axes.set_title(said, fontsize=8, loc="left")
    bar = figure.colorbar(image, ax=axes, fraction=0.03, pad=0.02, ticks=[0, 1])
    bar.ax.set_yticklabels(["lower\nbound", "upper\nbound"], fontsize=7)
    bar.outline.set_visible(False)


def _brief(text: str) -> str:
    return text if len(text) <= 11 else text[:10] + "…"


def _hatch(axes: Any, cells: npt.NDArray[np.bool_], dark: npt.NDArray[np.bool_]) -> None:
    from matplotlib.patches import Rectangle

    for i, j in np.argwhere(cells):
        axes.add_patch(Rectangle((j, i), 1, 1, fill=False, hatch="//", linewidth=0,
                                 edgecolor="#ffffffaa" if dark[i, j] else "#00000088"))


def _name_columns(axes: Any, names: list[str]) -> None:
    long = max(map(len, names), default=0) > 9
    axes.set_xticks(np.arange(len(names)) + 0.5, [_text(name) for name in names],
                    rotation=35 if long else 0, ha="right" if long else "center",
                    rotation_mode="anchor" if long else "default")


def _sizes(release: Release, axes: Any, height: int) -> None:
    sizes, error = release.sizes, release.sizes_error
    if sizes is None or np.isnan(sizes).all():
        axes.set_axis_off()
        return
    bars = np.nan_to_num(sizes[:height])
    axes.barh(np.arange(height) + 0.5, bars, height=0.62, color=BAR,
              xerr=error if math.isfinite(error) else None,
              error_kw={"ecolor": ERROR, "capsize": 2.5, "elinewidth": 1})
    most = float(np.max(np.abs(bars), initial=1.0))
    for i, value in enumerate(bars):
        axes.text(max(value, 0) + (error if math.isfinite(error) else 0) + 0.03 * most, i + 0.5,
                  f"{value:,.0f}", va="center", fontsize=8)
    reach = error if math.isfinite(error) else 0.0
    least = min(0.0, float(np.min(bars, initial=0.0)) - reach)
    axes.set_xlim(1.05 * least, (most + reach) * 1.3)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xticks([])
    axes.set_xlabel("rows" + (" ± noise" if math.isfinite(error) else ""))
    axes.tick_params(labelleft=False)
    _quiet(axes)


def _curve(release: Release, axes: Any, curve: Floats) -> None:
    """How clear k groups are, where k was chosen."""
    k = np.arange(1, len(curve) + 1)
    axes.plot(k, curve, "-o", color=BAR, markersize=4, linewidth=1.2)
    choice = release.k_choice
    if choice is not None and math.isfinite(choice.needed):
        axes.axhline(choice.needed, color="#d55e00", linewidth=1, linestyle="--")
        axes.annotate("needed: boxes without groups reach about that", (k[-1], choice.needed),
                      xytext=(0, 3), textcoords="offset points", ha="right", fontsize=8,
                      color="#a04000")
    if 1 <= release.k <= len(curve):
        axes.plot(release.k, curve[release.k - 1], "o", color="#d55e00", markersize=8)
        axes.annotate(f"k = {release.k}", (release.k, curve[release.k - 1]), xytext=(0, 8),
                      textcoords="offset points", ha="center", fontsize=9, weight="bold")
    axes.margins(y=0.25)
    axes.set_xlabel("number of clusters")
    axes.set_ylabel("how clear")
    axes.set_xticks(k if len(k) <= 20 else k[::max(1, len(k) // 20)])
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


# ---- blocks ----

def _blocks(release: Release, figure: Any) -> None:
    table = release.table
    assert table is not None
    clusters = release.column_clusters
    if clusters is not None and table.shape[1] == (release.l or 0) + 1 and \
            not (clusters == release.l).any():
        table = table[:, :-1]  # a rest without columns
    height, width = min(table.shape[0], CLUSTERS), min(table.shape[1], COLUMNS)
    figure.set_size_inches(min(16, 3.4 + max(3.2, 1.5 * width)), max(3.2, 2.4 + 0.42 * height))
    grid = figure.add_gridspec(1, 2, width_ratios=[max(3.2, 1.5 * width), 2.2])
    axes = figure.add_subplot(grid[0, 0])
    positive = np.clip(table, 0, None)
    total = positive.sum(axis=1, keepdims=True)
    share = np.divide(positive, total, out=np.zeros_like(positive), where=total > 0)
    shares = share[:height, :width]
    most = max(float(shares.max(initial=0)), 1e-9)
    image = axes.pcolormesh(shares, cmap="Blues", vmin=0, vmax=most, edgecolors="white",
                            linewidth=1)
    weak = table[:height, :width] < 2 * release.table_error
    _hatch(axes, weak, shares > 0.6 * most)
    for i in range(height):
        for j in range(width):
            axes.text(j + 0.5, i + 0.5, f"{100 * shares[i, j]:.0f} %", ha="center", va="center",
                      fontsize=8, color="white" if shares[i, j] > 0.6 * most else INK)
    heads = [column_cluster(release, j).replace(" (", "\n(", 1)
             + "".join("\n" + name[:16] for name in top_columns(release, j, 3))
             for j in range(width)]
    axes.set_xticks(np.arange(width) + 0.5, [_text(head) for head in heads], fontsize=8)
    axes.set_yticks(np.arange(height) + 0.5, [str(i) for i in range(height)])
    axes.set_xlabel("column cluster, with its surest columns")
    axes.set_ylabel("row cluster")
    axes.invert_yaxis()
    axes.set_title(f"share of a row cluster's {release.table_unit or 'counts'} in each column "
                   "cluster" + ("; hatched: within the noise" if weak.any() else ""), fontsize=8,
                   loc="left")
    _quiet(axes)
    figure.colorbar(image, ax=axes, fraction=0.03, pad=0.02,
                    format=lambda value, _: f"{100 * value:.0f} %").outline.set_visible(False)
    _sizes(release, figure.add_subplot(grid[0, 1], sharey=axes), height)


# ---- subspaces ----

def _loadings(release: Release, figure: Any) -> None:
    bases = release.subspaces
    assert bases is not None
    panels, width = min(release.k, SUBSPACES), min(bases.shape[1], COLUMNS)
    dimension = bases.shape[2]
    across = min(panels, 4)
    down = -(-panels // across)
    figure.set_size_inches(max(4.5, 1.4 + across * max(1.4, 0.5 * dimension + 0.7)),
                           0.8 + down * max(2.2, 0.26 * width + 1.1))
    axes = figure.subplots(down, across, sharey=True, squeeze=False)
    names = [short(name) for name in release.columns[:width]]
    image: Any = None
    for at, panel in enumerate(axes.flat):
        if at >= panels:
            panel.set_axis_off()
            continue
        loads = bases[at, :width, :]
        image = panel.pcolormesh(loads, cmap="PuOr", vmin=-1, vmax=1, edgecolors="white",
                                 linewidth=1)
        if width * dimension * panels <= 2 * CELLS_WITH_TEXT:
            for j in range(width):
                for a in range(dimension):
                    panel.text(a + 0.5, j + 0.5, f"{round(loads[j, a], 2) + 0:.2f}",
                               ha="center", va="center", fontsize=7,
                               color="white" if abs(loads[j, a]) > 0.7 else INK)
        panel.set_title(_panel_title(release, at), fontsize=8)
        panel.set_xticks(np.arange(dimension) + 0.5, _reach(release.profile, at, dimension),
                         fontsize=7)
        panel.set_yticks(np.arange(width) + 0.5, [_text(name) for name in names])
        _quiet(panel)
    axes[0, 0].invert_yaxis()
    figure.supxlabel("direction and how far rows reach along it" if release.profile is not None
                     else "direction", fontsize=9)
    bar = figure.colorbar(image, ax=axes, fraction=0.03, pad=0.02, ticks=[-1, 0, 1])
    bar.set_label("loading")
    bar.outline.set_visible(False)


def _panel_title(release: Release, at: int) -> str:
    sizes = release.sizes
    if sizes is None or math.isnan(float(sizes[at])):
        return f"subspace {at}"
    error = release.sizes_error
    bar = f" ± {error:,.0f}" if math.isfinite(error) else ""
    return f"subspace {at}\n{float(sizes[at]):,.0f}{bar} rows"


def _reach(profile: Optional[Floats], at: int, dimension: int) -> list[str]:
    return [str(a) if profile is None else f"{a}\n{profile[at, a]:.2g}" for a in range(dimension)]
