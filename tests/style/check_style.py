#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tree stays easy to read: formatted C, lines of at most 100 columns, functions of at most 80
lines, file names that occur once, guards named like their headers, comments in at least 15 % of the
lines of src. TAP output.

check_style.py SOURCE_ROOT           what the test suite runs
check_style.py SOURCE_ROOT --fix     formats C in place, then checks"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

COLUMNS, FUNCTION, COMMENTS = 100, 80, 0.15
ROOMS = ("src", "include", "tests", "bench", "fuzz", "examples", "tools", "docs", "man",
         "r")
NOT_OURS = ("fuzz/corpus/", "tests/data/", "tests/cli/golden/")  # inputs and outputs, not code
SAME_NAME = {"meson.build", "README.md"}

root = pathlib.Path(sys.argv[1])
checks = []


def check(good, what, faults=()):
    for fault in list(faults)[:20]:
        print("#", fault)
    checks.append(bool(good))
    print(f"{'ok' if good else 'not ok'} {len(checks)} - {what}")


def tree():
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            name = str(path.relative_to(root))
            if path.is_file() and not name.startswith(NOT_OURS) and "__pycache__" not in name:
                yield name


names = list(tree())
c_files = [name for name in names if name.endswith((".c", ".h"))]
scripts = [name for name in names if name.endswith((".py", "meson.build"))]
scripts += [name for name in ("check", "demo", "tests/mutants/run") if (root / name).exists()]
text = {name: (root / name).read_text(encoding="utf-8") for name in c_files + scripts}

# ---- format
tool = shutil.which("clang-format-14") or shutil.which("clang-format")
if tool is None:
    check(True, "C is formatted # SKIP clang-format is missing; tools/setup installs it")
else:
    mode = ["-i"] if "--fix" in sys.argv[2:] else ["--dry-run", "-Werror"]
    ran = subprocess.run([tool, *mode, *c_files], cwd=root, capture_output=True, text=True)
    bad = sorted(set(re.findall(r"^([^:\n]+):\d+:\d+: ", ran.stderr, re.M)))
    bad += ["clang-format failed"] if ran.returncode != 0 and not bad else []
    check(not bad, f"C is formatted ({len(c_files)} files; ./check format says what to run)", bad)

# ---- width
wide = [f"{name}:{number}" for name, body in text.items()
        for number, line in enumerate(body.split("\n"), 1) if len(line) > COLUMNS]
check(not wide, f"no line over {COLUMNS} columns ({len(wide)})", wide)

# ---- length of functions: a body begins and ends with a brace in the first column
long = []
for name in c_files:
    for body in re.finditer(r"^\{\n.*?^\}", text[name], re.S | re.M):
        if body.group(0).count("\n") + 1 > FUNCTION:
            long.append(f"{name}:{text[name].count(chr(10), 0, body.start()) + 1}")
check(not long, f"no function over {FUNCTION} lines ({len(long)})", long)

# ---- names
folders = collections.defaultdict(list)
for name in names:
    folders[name.rsplit("/", 1)[-1]].append(name)
repeated = [", ".join(there) for base, there in sorted(folders.items()) if len(there) > 1
            and base not in SAME_NAME and base.endswith((".c", ".h", ".py", ".md"))]
check(not repeated, f"no file name occurs twice ({len(repeated)})", repeated)

# ---- guards: a header is guarded by its own name (files that are included on purpose more than
# once have no guard)
guards = {name: re.search(r"^#ifndef (\w+_H)\n#define \1$", text[name], re.M)
          for name in c_files if name.startswith("src/") and name.endswith(".h")}
other = [f"{name}: {found.group(1)}" for name, found in guards.items() if found
         and found.group(1).split("_", 1)[1] != pathlib.Path(name).stem.upper() + "_H"]
check(len(guards) > 100 and not other, f"guards of headers are named like them ({len(other)})",
      other)

# ---- comments: lines of src and of the public header that a comment touches
touched = lines = 0
for name in c_files:
    if not name.startswith(("src/", "include/")):
        continue
    lines += sum(1 for line in text[name].split("\n") if line.strip())
    for comment in re.finditer(r'"(?:\\.|[^"\\\n])*"|(/\*.*?\*/)', text[name], re.S):
        touched += 1 + comment.group(1).count("\n") if comment.group(1) else 0
share = touched / max(lines, 1)
check(share >= COMMENTS, f"comments touch at least {COMMENTS:.0%} of the lines of src ({share:.1%} "
      f"of {lines})")

print(f"1..{len(checks)}")
sys.exit(0 if all(checks) else 1)
