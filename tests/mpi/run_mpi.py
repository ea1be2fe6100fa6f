# SPDX-License-Identifier: Apache-2.0
"""tacit-mpi against tacit: the same bytes for every number of ranks and every split into files, one
ledger, and ranks that are killed. TAP output. Usage: run_mpi.py TACIT TACIT_MPI"""
import ctypes
import glob
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

TACIT, MPI = (os.path.abspath(path) for path in sys.argv[1:3])
ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
           OMPI_MCA_btl="self,vader", OMPI_MCA_btl_vader_single_copy_mechanism="none",
           OMPI_MCA_plm_rsh_agent="false")
MEANS = ["kmeans", "-k", "3", "--epsilon", "2", "--delta", "1e-6", "--bounds", "a=0:1,b=0:1"]
PLANES = ["subspace", "-k", "2", "-q", "1", "--epsilon", "2", "--delta", "1e-6", "--columns",
          "a,b", "--bounds", "0:1"]
BLOCKS = ["cocluster", "--rows", "2", "--cols", "2", "--epsilon", "2", "--delta", "1e-6",
          "--columns", "n,m,o,p"]
SEED = ["--insecure-test-seed", "7", "--quiet"]
PERSONS = ["--unit-column", "who", "--max-rows-per-person", "2"]
checks = []


def check(good, what):
    checks.append(good)
    what = " ".join(what.split())[:200]
    print(f"{'ok' if good else 'not ok'} {len(checks)} - {what}", flush=True)


def said(done):
    return done.stderr.decode(errors="replace").strip()


def tacit(*args):
    return subprocess.run([TACIT, *args], capture_output=True, timeout=120)


def mpi(ranks, *args):
    return subprocess.run(["mpirun", "-np", str(ranks), MPI, *args], capture_output=True,
                          timeout=300, env=ENV, stdin=subprocess.DEVNULL)


def write(rows, parts, stem):
    """The rows in so many files by dice; one of several has no row."""
    dice = random.Random(parts)
    lines = [[] for _ in range(parts)]
    for row in rows:
        lines[dice.randrange(max(1, parts - 1))].append(row)
    names = []
    for i, part in enumerate(lines):
        names.append(f"{stem}-{i}.csv")
        with open(names[-1], "w", encoding="ascii") as out:
            out.write("a,b,who,n,m,o,p\n" + "".join(part))
    return names


def rows_of(count, seed=1):
    dice = random.Random(seed)
    return [f"{dice.choice((.2, .5, .8)) + dice.uniform(-.05, .05):.4f},"
            f"{'' if i % 71 == 0 else round(dice.random(), 4)},p{dice.randrange(60)},"
            f"{dice.randrange(4)},{dice.randrange(2)},{dice.randrange(9)},{dice.randrange(2)}\n"
            for i in range(count)]


def same_bytes():
    rows = rows_of(700)
    for parts in (1, 2, 5):
        files = write(rows, parts, f"part{parts}")
        for name, options in (("kmeans", MEANS), ("subspace", PLANES), ("cocluster", BLOCKS)):
            whole = tacit(options[0], *files, *options[1:], *SEED, "--json")
            good = whole.returncode == 0
            for ranks in (1, 2, 3, 4) if name == "kmeans" else (3,):
                apart = mpi(ranks, options[0], *files, *options[1:], *SEED, "--json")
                good = good and apart.returncode == 0 and apart.stdout == whole.stdout
                if apart.returncode != 0 or apart.stdout != whole.stdout:
                    print(f"# {ranks} ranks: exit {apart.returncode}: {said(apart)}")
            check(good, f"{name}, {parts} files: the same bytes as tacit gives")
    files = write(rows, 1, "persons")
    options = [*MEANS[1:], *PERSONS, *SEED, "--json"]
    whole, apart = tacit("kmeans", *files, *options), mpi(3, "kmeans", *files, *options)
    check(whole.returncode == 0 and whole.stdout == apart.stdout,
          "persons in one file: the same bytes")
    files = write(rows, 3, "persons3")
    apart = mpi(3, "kmeans", *files, *options)
    check(apart.returncode != 0 and apart.stdout == b"" and "person" in said(apart),
          "persons in several files are refused where somebody may be in two")


def refusals():
    files = write(rows_of(200), 2, "small")
    done = mpi(2, "kmeans", *files, *MEANS[1:], "--method", "sample-aggregate", *SEED)
    check(done.returncode != 0 and "in one place" in said(done) and done.stdout == b"",
          f"a method that needs all rows is refused: {said(done)}")
    with open("list.csv", "w", encoding="ascii") as out:
        out.write("row,col,count\n" + "".join(f"{i},{i % 7},1\n" for i in range(60)))
    done = mpi(2, "cocluster", "list.csv", "--rows", "2", "--cols", "2", "--epsilon", "1", *SEED)
    check(done.returncode == 64 and "triplets" in said(done) and done.stdout == b"",
          "triplets are refused")
    done = mpi(2, "kmeans", "nowhere.csv", *MEANS[1:], *SEED)
    check(done.returncode == 66, f"a file that is not there: exit 66, as tacit ({done.returncode})")
    done = mpi(2, "kmeans", *files, *MEANS[1:], *SEED, "--memory", "1G")
    check(done.returncode == 64 and "--memory" in said(done) and done.stdout == b"",
          "a limit of memory, which no rank would keep, is refused")
    done = mpi(2, "kmeans", "--help")
    check(done.returncode == 0 and b"kmeans" in done.stdout, "other words are the command's own")
    with open("small-1.csv", "a", encoding="ascii") as out:
        out.write("0.5\n")
    done = mpi(2, "kmeans", *files, *MEANS[1:], *SEED)
    check(done.returncode != 0 and "small-1.csv" in said(done) and done.stdout == b"",
          f"a part that cannot be read ends the run: {said(done)}")


def other_folders():
    """Ranks that read other rows under the same name: one would be counted twice, another not."""
    rows = rows_of(300)
    for folder, order in (("here", rows), ("there", rows[1:] + rows[:1])):
        os.mkdir(folder)
        with open(f"{folder}/table.csv", "w", encoding="ascii") as out:
            out.write("a,b,who,n,m,o,p\n" + "".join(order))
    options = [MPI, "kmeans", "table.csv", *MEANS[1:], *SEED, "--json"]
    done = {}
    for folder in ("here", "there"):
        done[folder] = subprocess.run(
            ["mpirun", "-np", "1", "--wdir", "here", *options, ":", "-np", "1", "--wdir", folder,
             *options], capture_output=True, timeout=120, env=ENV, stdin=subprocess.DEVNULL)
    check(done["here"].returncode == 0 and done["there"].returncode != 0 and
          done["there"].stdout == b"" and "another file" in said(done["there"]),
          f"a rank with another file of the same name and size ends the run: {said(done['there'])}")


def unreached():
    """A rank that cannot reach its file, or finds another one, before the budget is reserved."""
    for folder in ("root", "empty", "other"):
        os.mkdir(folder)
    for folder in ("root", "other"):
        write(rows_of(200), 1, f"{folder}/table")
    tacit("ledger", "init", "root/table-0.csv", "--epsilon", "9", "--delta", "1e-5", "--bounds",
          "a=0:1,b=0:1", "--columns", "a,b")
    options = [MPI, "kmeans", "table-0.csv", "-k", "2", "--epsilon", "1", "--delta", "1e-6",
               "--quiet", "--json"]
    for folder, code, words in (("empty", 66, "cannot read"), ("other", 74, "another file")):
        done = subprocess.run(
            ["mpirun", "-np", "1", "--wdir", "root", *options, ":", "-np", "1", "--wdir", folder,
             *options], capture_output=True, timeout=120, env=ENV, stdin=subprocess.DEVNULL)
        check(done.returncode == code and done.stdout == b"" and words in said(done) and
              "rank 1" in said(done) and spent("root/table-0.csv") == 0,
              f"a rank in folder {folder}: exit {done.returncode}, nothing spent: {said(done)}")


class Opens:
    """What happens while a file is opened so and so often: a call after each."""

    def __init__(self, path, then):
        libc = ctypes.CDLL(None, use_errno=True)
        self.file = libc.inotify_init1(os.O_CLOEXEC)
        libc.inotify_add_watch(self.file, path.encode(), 0x20 | 0x10)  # opened, closed
        self.count, self.then = 0, then
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while True:
            events = os.read(self.file, 4096)  # of 16 bytes each, for one file
            for at in range(0, len(events), 16):
                if events[at + 4] & 0x20:
                    self.count += 1
                    self.then(self.count)


def swapped():
    """A link that leads to the owner's rows just while a rank opens it, and back: they are not
    released as those of a file without a ledger."""
    head, most = "a,b,who,n,m,o,p\n", 100000
    for name, row in (("free.csv", "0.1,0.1,1,1,1,1,1\n"), ("owner.csv", "0.9,0.9,1,1,1,1,1\n")):
        with open(name, "w", encoding="ascii") as out:
            out.write(head + row * most)
    tacit("ledger", "init", "owner.csv", "--epsilon", "1", "--bounds", "0:1", "--columns", "a,b")

    def lead(name):
        os.symlink(name, "link.new")
        os.rename("link.new", "link.csv")

    def ask():
        return mpi(1, "kmeans", "link.csv", "-k", "1", "--epsilon", "5", "--bounds", "a=0:1,b=0:1",
                   "--json", "--quiet")

    lead("free.csv")
    last = [0]
    opens = Opens("free.csv", lambda count: count == last[0] and lead("owner.csv"))
    Opens("owner.csv", lambda count: lead("free.csv"))
    calm = ask()
    wanted, refused, wrong = opens.count, 0, []
    for tries in range(12):  # events that are alike may come as one, on a busy machine mostly
        opens.count, last[0] = 0, wanted - 1 + tries % 2
        done = ask()
        refused += "opened another file" in said(done)
        if done.returncode == 0 and json.loads(done.stdout)["centers"][0][0] > 0.5:
            wrong.append("the owner's rows were released")
        if tries >= 3 and refused > 0:
            break
    check(calm.returncode == 0 and not wrong and refused > 0 and spent("owner.csv") == 0,
          f"a link that is swapped while a rank opens it: {refused} of {tries + 1} refused; "
          f"{wrong}")


def other_order():
    """Files whose columns stand in different orders: one process takes them, ranks do not, and the
    user is told before the budget is reserved."""
    for name, text in (("order-1.csv", "a,b\n0.1,0.2\n"), ("order-2.csv", "b,a\n0.3,0.4\n")):
        with open(name, "w", encoding="ascii") as out:
            out.write(text)
    tacit("ledger", "init", "order-*.csv", "--epsilon", "9", "--bounds", "0:1")
    words = ["kmeans", "order-*.csv", "-k", "1", "--epsilon", "1", "--quiet", "--json"]
    done = mpi(2, *words)
    check(done.returncode == 64 and done.stdout == b"" and "different orders" in said(done) and
          spent("order-*.csv") == 0, f"columns in different orders: nothing spent: {said(done)}")
    check(tacit(*words).returncode == 0 and spent("order-*.csv") > 0, "one process takes them")


def many_files():
    """More files than a rank may have open at first: it allows itself more, as the root does. Where
    the system allows no more either, that is what is said."""
    for i, row in enumerate(rows_of(300, 5)):
        with open(f"many-{i}.csv", "w", encoding="ascii") as out:
            out.write("a,b,who,n,m,o,p\n" + row)
    words = ["kmeans", "many-*.csv", *MEANS[1:], *SEED, "--json"]
    whole, done = tacit(*words), {}
    for most in (4096, 400):
        done[most] = subprocess.run(
            ["mpirun", "-np", "2", MPI, *words], capture_output=True, timeout=300, env=ENV,
            stdin=subprocess.DEVNULL, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_NOFILE, (150, most)))
    check(whole.returncode == 0 and done[4096].stdout == whole.stdout,
          f"300 files, of which a rank may open 150 at first: {said(done[4096])}")
    check(done[400].returncode == 66 and done[400].stdout == b"" and
          "cannot open many-" in said(done[400]) and "Too many open files" in said(done[400]),
          f"and no more than 400 in all: {said(done[400])}")


def spent(ledger):
    done = tacit("ledger", "show", ledger, "--json")
    return json.loads(done.stdout)["spent"] if done.returncode == 0 else -1


def children(parent):
    """The ranks of an mpirun: pids of tacit-mpi below it, oldest first."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)
        except OSError:
            continue
        if int(fields[1].split()[1]) == parent and "tacit-mpi" in fields[0]:
            found.append(int(path.split("/")[2]))
    return sorted(found)


def core_limit(process):
    """Of core files, and what goes into a core that is piped to a program."""
    with open(f"/proc/{process}/limits", encoding="ascii") as limits:
        limit = next(line.split()[4] for line in limits if line.startswith("Max core file size"))
    with open(f"/proc/{process}/coredump_filter", encoding="ascii") as mappings:
        return limit, int(mappings.read(), 16)


def killed(when):
    """A rank that is killed: before it was told anything, or while queries are asked."""
    stem = f"kill-{when}"
    files = write(rows_of(60000 if when == "before" else 300000, 3), 3, stem)
    ledger = tacit("ledger", "init", *files, "--epsilon", "9", "--delta", "1e-5", "--bounds",
                   "a=0:1,b=0:1", "--columns", "a,b")
    if ledger.returncode != 0:
        print("#", said(ledger))
    out = f"{stem}.json"
    run = subprocess.Popen(["mpirun", "-np", "3", MPI, "kmeans", *files, "-k", "200", "--epsilon",
                            "1", "--delta", "1e-6", "--threads", "1", "-o", out],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV,
                           stdin=subprocess.DEVNULL)
    deadline = time.time() + 60
    ranks = []
    while time.time() < deadline and run.poll() is None:
        ranks = ranks if len(ranks) == 3 else children(run.pid)
        # the ledger is written to when a run reserves: from then on rows are read and asked
        if len(ranks) == 3 and (when == "before" or spent(files[0]) > 0):
            break
        time.sleep(0.005)
    alive = run.poll() is None
    if when != "before" and len(ranks) == 3:
        cores = [core_limit(rank) for rank in ranks]
        check(cores == [("0", 0)] * 3, f"no rank leaves its rows in a core file ({cores})")
    if len(ranks) == 3:
        os.kill(ranks[-1], signal.SIGKILL)
    stdout, _ = run.communicate(timeout=120)
    check(ledger.returncode == 0 and alive and len(ranks) == 3 and run.returncode != 0 and
          not os.path.exists(out) and stdout == b"" and
          (when == "before" or spent(files[0]) > 0),
          f"a rank killed {when}: exit {run.returncode}, nothing released, "
          f"{100 * spent(files[0]):.1f} % spent")


def main():
    home = tempfile.mkdtemp(prefix="tacit-mpi-")
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))  # core files wherever none is refused
    os.chdir(home)
    try:
        same_bytes()
        refusals()
        other_folders()
        unreached()
        swapped()
        other_order()
        many_files()
        killed("before")
        killed("mid-run")
    finally:
        os.chdir("/")
        shutil.rmtree(home)
    print(f"1..{len(checks)}")
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
