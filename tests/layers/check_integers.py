#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No floating-point arithmetic behind the door: disassemble the objects and look. TAP output.
Usage: check_integers.py ARCHIVE   (the static archive that holds every object)"""
import re
import subprocess
import sys

# Moves between registers are fine, and so are integer vector instructions; arithmetic, comparison and conversion of
# floats are not. Everything in src/privacy computes in integers but the files named here: privacy curves and the budget
# that is read from them, the plan of a run, the ledger's figures for people. Draws of subspaces are real numbers: bingham.proof.md says what that means.
# So are subspaces and points found in parts and their distances: parts.proof.md.
MAY_FLOAT = {"query_bingham", "query_gibbs", "gibbs_chain", "gibbs_labels", "bingham_feasible", "bingham_matrix", "bingham_vector", "draws", "tilted", "part_points", "part_subspaces", "parts_center", "parts_rule",
             "accountant", "gauss_curve", "mills", "price_pure", "run", "ledger", "ledger_create", "ledger_report", "ledger_row",
             "ledger_write"}
BESIDE = re.compile(r"^(data_lattice_(clip|counts_reach)|data_kernels_(inner_products|nearest\w*|cell_sums\w*|"
                    r"sparse_squares)|core_integer_root|engine_threads)\.c\.o$")
PRIVACY = re.compile(r"^privacy_((accounting|noise|draws|queries_literature|queries|ledger)_)?|\.c\.o$")
FLOAT = re.compile(r"^v?(add|sub|mul|div|sqrt|min|max|cmp\w*|u?comi|round|rcp|rsqrt|dp|hadd|hsub|fn?m(add|sub)\w*|rndscale|"
                   r"cvt\w*)(ss|sd|ps|pd|2si|2dq|2ps|2pd|2sd|2ss|2usi|2qq)\w*$")
X87 = re.compile(r"^f(ld|st|add|sub|mul|div|ild|ist|com|ucom|sqrt|chs|abs|xch)")

text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", sys.argv[1]], capture_output=True, text=True, check=True).stdout
found, current = {}, None
for line in text.splitlines():
    if line.endswith("elf64-x86-64"):
        current = line.split(":")[0].split("/")[-1]
        found[current] = set()
        continue
    part = line.split("\t")
    if current and len(part) >= 2 and part[1].split():
        op = part[1].split()[0]
        if FLOAT.match(op) or X87.match(op):
            found[current].add(op)

door = sorted(name for name in found
              if (name.startswith("privacy_") and PRIVACY.sub("", name) not in MAY_FLOAT) or BESIDE.match(name))
checks = [(len(door) >= 20, f"{len(door)} objects belong to the door")]
checks += [(not found[name], f"{name} computes in integers only {sorted(found[name]) or ''}") for name in door]
# The test can see floats at all: the frame is allowed them and has them.
checks.append((bool(found.get("data_lattice_frame.c.o")), "and floats are seen where they are allowed (frame.c)"))
for number, (good, what) in enumerate(checks, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {what}")
print(f"1..{len(checks)}")
sys.exit(not all(good for good, _ in checks))
