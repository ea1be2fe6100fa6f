#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: CPU time of KMeans.fit on an array over that of the same call in C, of frames
over arrays, import time, and memory. Everything as ratios of medians in one interleaved run, each
measurement in a process of its own.
Usage: bench/python_overhead.py [ROWS [REPEATS]]; needs a build in build/, python/make_binding.py,
a C compiler, and for frames polars and pyarrow."""
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS, K = 10, 8

IN_C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <tacit/tacit.h>

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    const long rows = atol(argv[argc - 1]), count = rows * %d;
    double *values = malloc((size_t)count * sizeof *values);
    FILE *file = fopen(argv[1], "rb");
    tacit_ctx *ctx = NULL;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
    struct rusage used;

    if (fread(values, sizeof *values, (size_t)count, file) != (size_t)count) return 1;
    budget.epsilon = 1, budget.delta = 1e-6, opts.k = %d;
    budget.use_insecure_test_seed = 1, budget.insecure_test_seed = 1;
    const double began = cpu();
    if (tacit_ctx_new(&ctx) || tacit_ctx_set_threads(ctx, 1) ||
        tacit_data_from_memory(ctx, values, TACIT_F64, rows, %d, &data) ||
        tacit_data_declare_bounds(ctx, data, "0:1") ||
        tacit_kmeans_run(ctx, data, &budget, &opts, &model))
        return 1;
    printf("%%.6f ", cpu() - began);
    getrusage(RUSAGE_SELF, &used);
    printf("%%ld\n", used.ru_maxrss);
    return 0;
}
""" % (COLUMNS, K, COLUMNS)

IN_PYTHON = """
import resource, sys, time
import numpy as np, tacitdp as td
kind, path, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
rows = np.fromfile(path).reshape(rows, %d)
names = [f"c{j + 1}" for j in range(%d)]
if kind == "pyarrow":
    import pyarrow
    rows = pyarrow.table({name: np.ascontiguousarray(rows[:, j]) for j, name in enumerate(names)})
elif kind == "polars":
    import polars
    rows = polars.DataFrame({name: rows[:, j] for j, name in enumerate(names)})
km = td.KMeans(%d, epsilon=1, delta=1e-6, bounds=(0, 1), threads=1, insecure_test_seed=1)
began = time.process_time()
km.fit(rows)
print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
""" % (COLUMNS, COLUMNS, K)

IMPORT = """
import time
began = time.process_time()
import numpy
middle = time.process_time()
import tacitdp
print(middle - began, time.process_time() - middle)
"""


def numbers(command, env):
    out = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
    return [float(word) for word in out.split()]


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1000000
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    env = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "python"),
           "LD_LIBRARY_PATH": os.path.join(ROOT, "build", "src"), "OPENBLAS_NUM_THREADS": "1"}
    kinds = ["C", "numpy"] + [k for k in ("pyarrow", "polars") if importlib.util.find_spec(k)]
    seen = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "run.c"), os.path.join(folder, "run")
        data = os.path.join(folder, "rows")
        with open(source, "w") as file:
            file.write(IN_C)
        subprocess.run(["cc", "-O2", "-I", os.path.join(ROOT, "include"), "-o", program, source,
                        "-L", os.path.join(ROOT, "build", "src"), "-ltacit"], check=True)
        import numpy as np

        rng = np.random.default_rng(1)
        centers = rng.random((K, COLUMNS))
        np.clip(centers[rng.integers(0, K, rows)] + rng.normal(0, 0.05, (rows, COLUMNS)), 0,
                1).tofile(data)
        for _ in range(repeats):
            for kind in kinds:
                command = ([program, data, str(rows)] if kind == "C" else
                           [sys.executable, "-c", IN_PYTHON, kind, data, str(rows)])
                seen[kind].append(numbers(command, env))
        # as in an installed package, whose bytecode is kept
        kept = {k: v for k, v in env.items() if k != "PYTHONDONTWRITEBYTECODE"}
        kept["PYTHONPYCACHEPREFIX"] = folder
        imports = [numbers([sys.executable, "-c", IMPORT], kept) for _ in range(repeats + 1)][1:]

    def median(kind, place):
        return statistics.median(one[place] for one in seen[kind])

    print(f"k-means auto, {rows} x {COLUMNS}, k = {K}, one thread, median of {repeats}")
    for kind in kinds:
        spread = [one[0] for one in seen[kind]]
        print(f"{kind:8s} CPU {median(kind, 0):.3f} s ({min(spread):.3f} to {max(spread):.3f}), "
              f"{median(kind, 0) / median('C', 0):.3f} of C, "
              f"{median(kind, 0) / median('numpy', 0):.3f} of numpy; "
              f"most memory {median(kind, 1) / 1024:.0f} MB, "
              f"{median(kind, 1) / median('C', 1):.2f} of C")
    numpy_ms, own_ms = (1e3 * statistics.median(one[i] for one in imports) for i in (0, 1))
    print(f"import: {own_ms:.0f} ms of CPU beyond numpy's {numpy_ms:.0f}")


if __name__ == "__main__":
    main()
