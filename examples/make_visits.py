# SPDX-License-Identifier: Apache-2.0
"""Visits to a shop, several a customer, as CSV. The rows are made up; docs/persons.md uses them."""
import random

KINDS = [((9, 1), (15, 4), (10, 3)), ((13, 1), (60, 9), (35, 7)), ((18, 1), (120, 15), (20, 5))]

draw = random.Random(1)
print("customer,hour,spend,minutes")
for customer in range(8000):
    kind = draw.choices(KINDS, (5, 3, 2))[0]
    for _ in range(1 + int(draw.expovariate(1 / 3))):
        values = (max(draw.gauss(mean, sd), 0) for mean, sd in kind)
        print(f"C{customer:05d}," + ",".join(f"{value:.1f}" for value in values))
