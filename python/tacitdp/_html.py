# SPDX-License-Identifier: Apache-2.0
"""Small pieces of HTML for notebooks: no script, no network, nothing that a release says is markup.
Names of columns and notes are whatever the maker of a file wrote, so all text is made plain (marks
that are not seen become '?') and then escaped."""

from __future__ import annotations

import html
from typing import Iterable, Sequence

_CELL = "padding:2px 10px;text-align:{};border-bottom:1px solid #8884;white-space:nowrap"


def text(value: object) -> str:
    """Text as it stands: one line, no markup, and no mathematics, whose marks notebooks look for
    in the text of a page: each stands in an element of its own, where it opens nothing."""
    from tacitdp.release import plain

    escaped = html.escape(plain(str(value)), quote=True)
    return escaped.replace("$", "<span>$</span>").replace("\\", "<span>\\</span>")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = False) -> str:
    """Cells are plain texts. numbers: all but the first column stand to the right."""
    right = _CELL.format("right" if numbers else "left")
    left = _CELL.format("left")

    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="{right if i else left}">{text(cell)}</{tag}>'
                                for i, cell in enumerate(cells)) + "</tr>"

    head = f"<thead>{line(heads, 'th')}</thead>" if heads else ""
    body = "".join(line(row, "td") for row in rows)
    return ('<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:6px 0">'
            f"{head}<tbody>{body}</tbody></table></div>")


def paragraph(sentence: str) -> str:
    return f'<p style="margin:4px 0;max-width:60em">{text(sentence)}</p>'


def warning(sentence: str) -> str:
    return ('<p style="margin:4px 0;padding:4px 8px;border-left:4px solid #c00">'
            f"<b>{text(sentence)}</b></p>")


def folded(title: str, sentences: Sequence[str]) -> str:
    """Sentences behind a title that opens them; nothing if there are none."""
    if not sentences:
        return ""
    items = "".join(f"<li>{text(sentence)}</li>" for sentence in sentences)
    return (f'<details style="margin:4px 0"><summary>{text(title)}</summary>'
            f'<ul style="margin:4px 0">{items}</ul></details>')


def page(headline: str, parts: Iterable[str]) -> str:
    return ('<div class="tex2jax_ignore mathjax_ignore" style="line-height:1.4">'
            f'<p style="margin:4px 0"><b>{text(headline)}</b></p>{"".join(parts)}</div>')
