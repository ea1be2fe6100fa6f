# SPDX-License-Identifier: Apache-2.0
"""What the source of the command promises: public header only, a manual page that knows every
option, and a header that agrees with the table of options."""
import os
import re
import sys

import harness
from golden import COMMANDS

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import make_man  # noqa: E402


def includes(root):
    wrong, folder = [], os.path.join(root, "src", "cli")
    paths = sorted(os.path.join(at, name) for at, _, names in os.walk(os.path.normpath(folder))
                   for name in names)
    if len(paths) < 30:
        wrong.append("the sources were not found")
    for path in paths:
        name = os.path.basename(path)
        if not name.endswith((".c", ".h", ".def")):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for start, what in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', text, re.M):
            fine = (os.path.normpath(os.path.join(os.path.dirname(path), what)) in paths
                    if start == '"' else "/" not in what or what == "tacit/tacit.h"
                    or what.startswith("sys/"))
            # start_sodium.c decides how libsodium starts: a setting of the process, so not the
            # library's.
            if not fine or what == "sqlite3.h" or (what == "sodium.h" and name != "start_sodium.c"):
                wrong.append(f"{name} includes {what}")
        for word in re.findall(r"\btac_\w+", text):
            wrong.append(f"{name} uses {word}")
    return "the command includes the public header only", wrong


def manual(root, binary):
    """The page as it is installed: its lists of options are the table's, and every command and exit
    code is in it."""
    wrong = []
    page = make_man.page(os.path.abspath(binary),
                         *(os.path.join(root, "man", name)
                           for name in ("tacit.1.scd", "option_notes.scd")))
    with harness.Folder(binary) as folder:
        every = folder.run(["--help"], check=0).stdout.decode()
        for command in COMMANDS:
            text = folder.run([*command.split(), "--help"], check=0).stdout.decode()
            if f"tacit {command}" not in page:
                wrong.append(f"command {command}")
            for letter, option in re.findall(r"^  (?:(-\w), |    )(--[\w-]+)", text, re.M):
                if not re.search(
                    rf"^{f'[*]{letter}[*], ' if letter else '([*]-.[*], )?'}[*]{option}[*]", page,
                    re.M):
                    wrong.append(f"{command} {option}")
    for code in re.findall(r"^ +(\d+)  ", every[every.index("Exit codes"):], re.M):
        if f"\n*{code}*\n" not in page:
            wrong.append(f"exit code {code}")
    return "the manual page has every command, option and exit code", wrong


# Where the public header says what an option sets: struct and member, then option and a command
# that takes it.
MEMBERS = {
    ("tacit_budget", "epsilon"): ("epsilon", "kmeans"),
    ("tacit_budget", "delta"): ("delta", "kmeans"),
    ("tacit_budget", "max_rows_per_unit"): ("max-rows-per-person", "kmeans"),
    ("tacit_kmeans_opts", "k"): ("clusters", "kmeans"),
    ("tacit_kmeans_opts", "rounds"): ("rounds", "kmeans"),
    ("tacit_kmeans_opts", "k_max"): ("k-max", "kmeans"),
    ("tacit_subspace_opts", "k"): ("subspaces", "subspace"),
    ("tacit_subspace_opts", "q"): ("dimension", "subspace"),
    ("tacit_subspace_opts", "k_max"): ("k-max", "subspace"),
    ("tacit_subspace_opts", "rounds"): ("rounds", "subspace"),
    ("tacit_subspace_opts", "restarts"): ("restarts", "subspace"),
    ("tacit_subspace_opts", "chains"): ("chains", "subspace"),
    ("tacit_subspace_opts", "parts"): ("parts", "subspace"),
    ("tacit_cocluster_opts", "row_clusters"): ("rows", "cocluster"),
    ("tacit_cocluster_opts", "column_clusters"): ("cols", "cocluster"),
    ("tacit_cocluster_opts", "rounds"): ("rounds", "cocluster"),
    ("tacit_cocluster_opts", "labels_share"): ("row-labels", "cocluster"),
    ("tacit_cocluster_opts", "least_z"): ("least-z", "cocluster"),
    ("tacit_cocluster_opts", "restarts"): ("restarts", "cocluster"),
    **{("tacit_synthetic_mixture_opts", member): (member, "generate")
       for member in ("rows", "columns", "spread", "seed")},
    **{("tacit_synthetic_subspaces_opts", member): (member, "generate subspaces")
       for member in ("rows", "columns", "subspaces", "dimension", "noise", "seed")},
    **{("tacit_synthetic_counts_opts", member): (option, "generate counts")
       for member, option in [("rows", "rows"), ("columns", "columns"),
                              ("row_clusters", "row-clusters"), ("column_clusters", "col-clusters"),
                              ("mean", "mean"), ("contrast", "contrast"), ("seed", "seed")]},
    ("tacit_audit_opts", "epsilon"): ("epsilon", "audit"),
    ("tacit_audit_opts", "delta"): ("delta", "audit"),
    ("tacit_audit_opts", "seed"): ("seed", "audit"),
    ("tacit_audit_opts", "runs"): ("runs", "audit"),
    ("tacit_audit_opts", "confidence"): ("confidence", "audit"),
    ("tacit_audit_opts", "noise_factor"): ("noise-factor", "audit"),
}
FIGURE = r"\d[\d.]*(?:e-?\d+)?"
RANGE = re.compile(rf"({FIGURE}) \.\. ({FIGURE})((?: - {FIGURE})?)( million)?")
DEFAULT = re.compile(rf"(?:\b0: |starts as )({FIGURE})(?![\w.]*:)(?=[\s;,)]|\.?$)")


def stated(header):
    """{(struct, member): (range or None, default or None)} of all members whose comment has one."""
    found = {}
    for body, name in re.findall(r"typedef struct \w+ \{([^}]*)\} (tacit_\w*opts|tacit_budget);",
                                 header):
        for members, comment in re.findall(r"^    [\w ]+?[ *]+(\w+(?:, \w+)*);\s*/\*(.*?)\*/", body,
                                           re.M | re.S):
            span, start = RANGE.search(comment), DEFAULT.search(" ".join(comment.split()))
            if span:
                least, most, less, million = span.groups()
                span = (float(least), (float(most) - float((less or " - 0")[3:])) *
                        (1e6 if million else 1))
            if span or start:
                found[name,
                      members.split(",")[0]] = ((span, float(start.group(1)) if start else None))
    return found


def header(root, binary):
    """What the public header says of ranges and defaults is what the table of options has."""
    wrong, compared = [], 0
    with open(os.path.join(root, "include", "tacit", "tacit.h"), encoding="utf-8") as file:
        found = stated(file.read())
    uses = {(option["name"], command): use
            for option in make_man.tables(os.path.abspath(binary))["options"]
            for use in option["uses"] for command in use["commands"]}
    for place, (span, start) in found.items():
        if place not in MEMBERS:
            wrong.append(f"{'.'.join(place)} states a range or default, and nobody knows whose: "
                         "add it to MEMBERS")
            continue
        use = uses[MEMBERS[place]]
        if span and "least" in use:
            compared += 1
            if span != (use["least"], use["most"]):
                wrong.append(f"{'.'.join(place)} is {span}, and --{MEMBERS[place][0]} takes "
                             f"{use['least']} to {use['most']}")
        if start is not None and "default" in use:
            compared += 1
            if start != use["default"]:
                wrong.append(f"{'.'.join(place)} starts as {start}, and --{MEMBERS[place][0]} as "
                             f"{use['default']}")
    wrong += [f"{'.'.join(place)} states nothing any more" for place in MEMBERS
              if place not in found]
    return (f"the public header's ranges and defaults are the table's ({compared} compared)",
            wrong if compared >= 15 else [*wrong, "too few"])
