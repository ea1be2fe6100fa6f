# SPDX-License-Identifier: Apache-2.0
"""examples/ledgered.c in a folder of its own: three releases of two groups, then a refusal.
Usage: run_ledgered.py PROGRAM"""
import os
import re
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([sys.argv[1], os.path.join(folder, "customers.ledger")],
                          stdout=subprocess.PIPE, text=True, check=False)
ages = [float(age) for age in re.findall(r"around age (\d+)", done.stdout)]
# Groups of 10,000 rows at 30 and 65: noise of several years would be a bug.
good = (sorted(round(age / 5) for age in ages) == [6] * 3 + [13] * 3
        and done.stdout.count("refused: ") == 1)
if done.returncode != 0 or not good:
    print(done.stdout)
    sys.exit(f"exit {done.returncode}: not three releases and a refusal")
