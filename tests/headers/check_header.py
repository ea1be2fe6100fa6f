#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the public header says in words is what the library does. Every struct has a size, a macro
and a function that starts it; a callback ends in its payload; a list has a count and a getter. Of
options: `starts as v` is what _init puts there, and of `a .. b` both ends are taken and what lies
beyond is refused. TAP. Usage: check_header.py LIBRARY HEADER VERSION"""
import ctypes as c
import math
import re
import sys

library, path, version = sys.argv[1:]
text = open(path).read()
code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
lib = c.CDLL(library)
checks = []


def check(good, what):
    checks.append(good)
    print(f"{'ok' if good else 'not ok'} {len(checks)} - {what}")


# ---- the shape of the header ----
bodies = dict(re.findall(r"typedef struct (tacit_\w+) \{\n(.*?)\n\} \1;", text, re.S))
functions = set(re.findall(r"\b(tacit_\w+)\(", code))
wrong = [n for n, body in bodies.items() if not body.lstrip().startswith("size_t size;")]
check(len(bodies) >= 25 and not wrong,
      f"every struct begins with its size ({len(bodies)}, wrong {wrong})")
wrong = [n for n in bodies if f"#define {n.upper()}_INIT" not in text
         or f"{n}_init" not in functions]
check(not wrong, f"every struct has a macro and a function to begin with {wrong}")
wrong = [n for n, body in re.findall(r"\(\*(\w+)\)\(([^;]*)\);", code)
         if not body.rstrip().endswith("void *payload")]
check(len(re.findall(r"\(\*\w+\)\(", code)) == 8 and not wrong, f"the payload comes last {wrong}")
lists = {n[:-6] for n in functions if n.endswith("_count")}
getters = {n[:-4] for n in functions if n.endswith("_get")}
check(lists == getters and len(lists) >= 10,
      f"every list has a count and a getter {sorted(lists ^ getters)}")
numbers = [int(re.search(rf"TACIT_VERSION_{part} (\d+)", text).group(1))
           for part in ("MAJOR", "MINOR", "PATCH")]
said = ".".join(map(str, numbers))
check(said == version == re.search(r'TACIT_VERSION "(.*)"', text).group(1)
      and lib.tacit_version_number() == numbers[0] * 10000 + numbers[1] * 100 + numbers[2],
      f"one version: {said}")
wide = [number for number, line in enumerate(text.split("\n"), 1) if len(line) > 100]
check(not wide, f"no line is wider than 100 columns {wide}")

# ---- structs as another language sees them ----
PLAIN = {"size_t": c.c_size_t, "int": c.c_int, "char": c.c_byte,
         "int32_t": c.c_int32, "int64_t": c.c_int64,
         "uint64_t": c.c_uint64, "double": c.c_double}
enums = set(re.findall(r"typedef enum (tacit_\w+)", text))


def fields_of(body):
    """(name, type, comment) of every field; a comment belongs to all names of its line."""
    for declared, comment in re.findall(r"([^;/]+);[ \n]*(?:/\*(.*?)\*/)?",
                                        re.sub(r"^ +/\*.*?\*/\n", "", body, flags=re.S | re.M),
                                        re.S):
        comment = " ".join((comment or "").split())
        kind, names = re.match(r"(?:const )?(\w+) (.*)", " ".join(declared.split())).groups()
        for name in names.split(", "):
            bare = name.strip("* ")
            if "[" in bare:
                yield bare, None, comment
            else:
                yield bare, c.c_void_p if "*" in name else c.c_int if kind in enums else PLAIN[
                    kind], comment


def make(name):
    fields = list(fields_of(bodies[name]))
    kind = type(name, (c.Structure,), {"_fields_": [(n, t) for n, t, _ in fields]})
    one = kind()
    getattr(lib, name + "_init")(c.byref(one), c.c_size_t(c.sizeof(one)))
    return one, fields


OPTIONS = ["tacit_budget", "tacit_data_opts", "tacit_kmeans_opts", "tacit_subspace_opts",
           "tacit_cocluster_opts", "tacit_audit_opts", "tacit_synthetic_mixture_opts",
           "tacit_synthetic_subspaces_opts", "tacit_synthetic_counts_opts"]
told, wrong = 0, []
for name in OPTIONS:
    one, fields = make(name)
    for place, (field, _, comment) in enumerate(fields):
        if field == "size":
            continue
        start = re.search(r"starts as ([-\w.]+(?:, [\d.]+)?)", comment)
        value = getattr(one, field) or 0
        wanted = 0.0
        if start:
            told += 1
            list_of = start.group(1).rstrip(".").split(", ")
            same_line = [n for n, _, other in fields if other == comment]
            wanted = float(list_of[same_line.index(field)] if len(list_of) == len(same_line) > 1
                           else list_of[0])
        if not (value == wanted or (math.isnan(wanted) and math.isnan(value))):
            wrong.append(f"{name}.{field} is {value} and not {wanted}")
check(told >= 20 and not wrong, f"options start as the header says ({told} of them say so) {wrong}")

# ---- ranges: each struct is tried by a call that looks at no rows, with a ctx that is canceled
# once options were read ----
values = (c.c_double * 24)(*([0.5] * 24))
counts = (c.c_double * 2000)()
units = (c.c_int64 * 6)(*range(6))
ctx, data, persons = c.c_void_p(), c.c_void_p(), c.c_void_p()
lib.tacit_ctx_new(c.byref(ctx))
lib.tacit_ctx_message.restype = c.c_char_p
lib.tacit_ctx_message.argtypes = [c.c_void_p]
for handle in (data, persons):
    lib.tacit_data_from_memory(ctx, values, c.c_int(0), c.c_int64(6), c.c_int32(4), c.byref(handle))
    lib.tacit_data_declare_bounds(ctx, handle, b"0:1")
lib.tacit_data_set_units(ctx, persons, units, None)
lib.tacit_ctx_cancel(ctx)
OK, ARGUMENT, CANCELED, ENTRY = 0, 1, 40, 2
REPORT = 64 # bytes: as an old caller's, which is shorter


def budget_for(**fields):
    budget = make("tacit_budget")[0]
    budget.epsilon, budget.delta = 1, 1e-6
    for field, value in fields.items():
        setattr(budget, field, value)
    return budget


def plan(function, opts, budget, on=data):
    out = c.c_void_p()
    status = getattr(lib, function)(ctx, on, c.byref(budget), c.byref(opts), c.c_double(1e6),
                                    c.byref(out))
    lib.tacit_plan_free(out)
    return status


def try_budget(field, value):
    opts = make("tacit_kmeans_opts")[0]
    opts.k, opts.method, opts.rounds = 2, 1, 1 # lloyd: the noise of one round fits at any epsilon
    return plan("tacit_kmeans_plan", opts, budget_for(**{field: value}), persons
                if field == "max_rows_per_unit" else data)


def try_kmeans(field, value):
    opts = make("tacit_kmeans_opts")[0]
    opts.k = -1 if field == "k_max" else 2
    setattr(opts, field, value)
    return plan("tacit_kmeans_plan", opts, budget_for())


def try_subspace(field, value):
    opts = make("tacit_subspace_opts")[0]
    opts.k, opts.q, opts.method = 2, 1, {"parts": 5, "restarts": 5, "chains": 4,
                                         "rounds": 4}.get(field, 0)
    setattr(opts, field, value)
    return plan("tacit_subspace_plan", opts,
                budget_for(delta=0 if opts.method == 4 else 1e-6, use_insecure_test_seed=1))


def try_cocluster(field, value):
    opts = make("tacit_cocluster_opts")[0]
    opts.row_clusters, opts.column_clusters, opts.method = 2, 2, 1 if field == "rounds" else 0
    setattr(opts, field, value)
    out, wide = c.c_void_p(), c.c_void_p()
    lib.tacit_data_from_memory(ctx, counts, c.c_int(0), c.c_int64(1), c.c_int32(2000),
                               c.byref(wide))
    budget = budget_for(neighbors=ENTRY if field in ("rounds", "labels_share") else 0)
    status = (lib.tacit_cocluster_plain(ctx, wide, c.byref(opts), c.byref(out))
              if field == "restarts" else plan("tacit_cocluster_plan", opts, budget, wide))
    lib.tacit_data_free(wide)
    return status


def try_audit(field, value):
    opts, report = make("tacit_audit_opts")[0], c.create_string_buffer(REPORT)
    lib.tacit_audit_report_init(report, c.c_size_t(REPORT))
    opts.family, opts.epsilon, opts.delta = c.cast(c.c_char_p(b"kmeans"), c.c_void_p), 1, 1e-6
    setattr(opts, field, value)
    return lib.tacit_audit_run(ctx, c.byref(opts), report)


def try_synthetic(name):
    def run(field, value):
        opts = make(f"tacit_synthetic_{name}_opts")[0]
        opts.rows = 1000
        if field == "subspaces":
            opts.columns, opts.dimension = 3, 1
        setattr(opts, field, value)
        out = [c.c_void_p(), c.c_void_p(), c.c_void_p()]
        if name == "counts":
            each = c.CFUNCTYPE(c.c_int, c.c_int64, c.c_int32, c.c_void_p, c.c_void_p, c.c_int32,
                               c.c_void_p)(lambda *_: 0)
            return lib.tacit_synthetic_counts(ctx, c.byref(opts), each, None)
        status = getattr(lib, f"tacit_synthetic_{name}")(ctx, c.byref(opts),
                                                         *[c.byref(o) for o in out])
        return status
    return run


TRY = {"tacit_budget": try_budget, "tacit_kmeans_opts": try_kmeans,
       "tacit_subspace_opts": try_subspace, "tacit_cocluster_opts": try_cocluster,
       "tacit_audit_opts": try_audit,
       **{f"tacit_synthetic_{n}_opts": try_synthetic(n)
          for n in ("mixture", "subspaces", "counts")}}
RANGE = re.compile(r"(\d[\d.e+-]*) \.\. (\d[\d.e+-]*(?: - 1e-12)?)")
ranges, wrong = 0, []
for name, attempt in TRY.items():
    for field, kind, comment in fields_of(bodies[name]):
        found = RANGE.search(comment)
        if not found:
            continue
        ranges += 1
        whole = kind is not c.c_double
        low, high = (eval(number.rstrip(".")) for number in found.groups()) # "1 - 1e-12"
        low, high = (int(low), int(high)) if whole else (low, high)
        may_be_0 = re.search(r"\b0: |, or 0|without one 0", comment) is not None
        below = [low - 1, -2] if whole else [math.nextafter(low, -math.inf), -1.0]
        beyond = [v for v in below if not (v == 0 and may_be_0)
                  and not (v == -1 and "_AUTO" in comment)]
        beyond += [high + 1] if whole else [math.nextafter(high, math.inf), math.inf]
        for value, good in [(low, True), (high, True), *[(v, False) for v in beyond],
                            *([(0, True)] if may_be_0 and field != "max_rows_per_unit" else [])]:
            status = attempt(field, value)
            if (status in (OK, CANCELED)) != good or (not good and status != ARGUMENT):
                wrong.append(f"{name}.{field} = {value}: status {status}, "
                             f"{lib.tacit_ctx_message(ctx).decode()!r}")
for line in wrong:
    print("#", line)
check(ranges >= 18 and not wrong,
      f"{ranges} ranges are what the header says: both ends are taken, nothing beyond")

print(f"1..{len(checks)}")
sys.exit(not all(checks))
