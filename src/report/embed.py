#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Texts as C: embed.py OUT NAME=FILE... writes `const char NAME[]` for each, as numbers, because C
promises no string longer than 4095."""
import sys

with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write('#include "report/report.h"\n\n')
    for argument in sys.argv[2:]:
        name, path = argument.split("=", 1)
        text = open(path, "rb").read()
        text.decode("ascii")  # nothing else fits a char everywhere
        out.write(f"const char {name}[] = {{{','.join(map(str, text))},0}};\n")
