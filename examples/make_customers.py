#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A table as people have them, made up: a title line, semicolons, decimal commas, ids, names,
dates, money with a long tail, and holes. docs/your-own-table.md walks through it.

    python3 examples/make_customers.py > customers.csv
"""
import math
import random
import sys

# Four kinds of customers: age, spend, visits, region they prefer, share with the newsletter.
KINDS = [(27, 260, 4, "North", 0.8), (44, 1400, 12, "East", 0.3), (66, 5600, 21, "South", 0.1),
         (36, 850, 38, "West", 0.6)]
REGIONS = ["North", "East", "South", "West"]
ROWS = 12000


def money(x):
    """1234.5 -> 1.234,50"""
    return f"{x:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


def main():
    draw = random.Random(20)
    print("Customer export, all branches")
    print("customer_id;name;sex;region;age;spend;visits;joined;newsletter")
    for i in range(ROWS):
        age, spend, visits, region, news = KINDS[i * 7 % 4]
        cells = [f"C{i:06d}", f"Customer {i}", draw.choice(["F", "M"]),
                 region if draw.random() < 0.75 else draw.choice(REGIONS),
                 str(min(100, max(18, round(draw.gauss(age, 5))))),
                 money(spend * math.exp(draw.gauss(0, 0.35))),
                 str(max(0, round(draw.gauss(visits, 2.5)))),
                 f"{draw.randint(2012, 2025)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}",
                 "yes" if draw.random() < news else "no"]
        for column, word in [(2, ""), (3, "unknown"), (4, "n.a."), (5, "-"), (6, "")]:
            if draw.random() < 0.03:
                cells[column] = word
        print(";".join(cells))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(1)
