# SPDX-License-Identifier: Apache-2.0
"""`python3 -m tacitdp` is the command `tacit`."""

import sys

from tacitdp._command import main

main(sys.argv[1:])
