#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No floating-point arithmetic behind the door: disassemble the objects and look. TAP output.
Usage: check_integers.py ARCHIVE   (the static archive that holds every object)"""
import re
import subprocess
import sys

# The door's own files, the samplers, the integer costs, the clip and the kernels. Moves between registers are fine,
# and so are integer vector instructions; arithmetic, comparison and conversion of floats are not.
DOOR = ["privacy_door.c.o", "privacy_cells.c.o", "privacy_sensitivity.c.o", "privacy_ask_counts.c.o", "privacy_ask_sums.c.o",
        "privacy_ask_moments.c.o", "privacy_ask_select.c.o", "privacy_random.c.o", "privacy_discrete_gaussian.c.o",
        "privacy_accept_exact.c.o", "privacy_discrete_laplace.c.o", "privacy_add_noise.c.o", "privacy_cost.c.o",
        "data_clip.c.o", "data_nearest.c.o", "data_nearest_portable.c.o", "data_nearest_avx2.c.o",
        "data_nearest_avx512.c.o", "data_cell_sums.c.o", "core_root.c.o", "engine_threads.c.o"]
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

failed = 0
for number, name in enumerate(DOOR, 1):
    good = name in found and not found[name]
    failed += not good
    why = "" if good else (" (missing)" if name not in found else f" ({', '.join(sorted(found[name]))})")
    print(f"{'ok' if good else 'not ok'} {number} - {name} computes in integers only{why}")
# The test can see floats at all: the frame is allowed them and has them.
good = bool(found.get("data_frame.c.o"))
failed += not good
print(f"{'ok' if good else 'not ok'} {len(DOOR) + 1} - and floats are seen where they are allowed (frame.c)")
print(f"1..{len(DOOR) + 1}")
sys.exit(failed != 0)
