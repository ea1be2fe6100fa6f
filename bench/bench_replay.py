#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs of neighbors that the replay tests make a second of one core, method by method, over the goal of 1,000.

bench_replay.py BUILD [TIMES]    TIMES: TACIT_TEST_MULT of the tests, 0.5 if not given"""
import os
import re
import subprocess
import sys


def main():
    build, times = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "0.5"
    print("family     method            pairs  over 1,000 a second")
    for family, test in (("kmeans", "replay"), ("subspace", "replay_subspace"), ("cocluster", "replay_cocluster")):
        with subprocess.Popen([os.path.join(build, "tests", "test_" + test)], env={**os.environ, "TACIT_TEST_MULT": times},
                              stdout=subprocess.PIPE, text=True) as run:
            for line in run.stdout:
                found = re.match(r"# (\S+): (\d+) pairs that asked something, (\S+) of 1,000 a second", line)
                if found:
                    print("%-10s %-17s %5s  %5s" % (family, *found.groups()), flush=True)
        if run.returncode != 0:
            sys.exit("test_%s failed" % test)


main()
