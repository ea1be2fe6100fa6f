# SPDX-License-Identifier: Apache-2.0
"""Mathematics written as plain text, set for a page: powers, indices, Greek letters, signs. Used by
tools/site; the pages stay readable in an editor."""
import html
import re

GREEK = dict(zip(
    "alpha beta gamma delta epsilon eps zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi "
    "chi psi omega Gamma Delta Theta Lambda Sigma Phi Psi Omega".split(),
    "αβγδεεζηθκλμνξπρστφχψωΓΔΘΛΣΦΨΩ"))
# A letter's name stands alone, or before an index, a digit or a power: no part of a word or a name.
LETTER = re.compile(r"(?<![A-Za-z])(?<![A-Za-z]{2}_)(" + "|".join(GREEK) +
                    r")(?![A-Za-z]|_[a-z]{2,}_)")
SIGNS = [(re.compile(pattern), sign) for pattern, sign in (
    (r"<=", "≤"), (r">=", "≥"), (r"!=", "≠"), (r"\+-", "±"), (r"<->", "↔"), (r"->", "→"),
    (r"<-(?= )", "←"), (r"(?<= )\*(?= )", "·"), (r"\*(?=_)", r"\*"), (r"(?<=\S )-(?= \S|$)", "−"),
    (r"\binfinity\b|(?<=\^)inf\b", "∞"), (r"\bsqrt(?=[( ])\s?", "√"), (r"\bsum(?=_)", "Σ"),
    (r"\bprod(?=_)", "Π"), (r"\bint(?=_|\s\w)", "∫"))]
GROUP = r"\((?:[^()]|\([^()]*\))*\)"
POWER = re.compile(r"\^(-?(?:\d+|∞|[^\W\d_]+\d*\b|" + GROUP + r")|\{[^{}]*\})")
# One letter takes any index; a word takes a short one, so that names of files and functions stay.
INDEX = re.compile(r"((?<![^\W_])[^\W\d_]'*|[|)∫])_([^\W_]+|" + GROUP + r"|\{[^{}]*\})|"
                   r"(?<![\w/])([^\W\d_]{2,}'*)_((?:[a-z0-9]{1,2}|[A-Z])(?![\w.])|\{[^{}]*\})")


def bare(text):
    """A raised or lowered text without its brackets."""
    return text[1:-1] if re.fullmatch(GROUP + r"|\{[^{}]*\}", text) else text


def lowered(match):
    base, index = (match[1], match[2]) if match[1] else (match[3], match[4])
    return f"{base}<sub>{INDEX.sub(lowered, bare(index))}</sub>"


def powers(text):
    return POWER.sub(lambda match: f"<sup>{powers(bare(match[1]))}</sup>", text)


def formula(text):
    """A proof's text outside of code. Its signs < and & are not escaped."""
    text = LETTER.sub(lambda match: GREEK[match[1]], text)
    for pattern, sign in SIGNS:
        text = pattern.sub(lambda _, sign=sign: sign, text)
    return INDEX.sub(lowered, powers(text))


def block(lines):
    """A formula on lines of its own, as HTML; columns keep their places."""
    text = formula("\n".join(lines))
    # What formula() has put in are tags; every other sign is text.
    parts = re.split(r"(</?su[bp]>)", text)
    parts[::2] = [html.escape(part, quote=False) for part in parts[::2]]
    return '<pre class="formula">' + "".join(parts) + "</pre>"
