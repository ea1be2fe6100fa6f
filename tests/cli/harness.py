# SPDX-License-Identifier: Apache-2.0
"""Running the command in a folder of its own, and saying in TAP what came of it."""
import concurrent.futures
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile

WORKERS = 2
# seconds; a machine busy with other things is no failure, and an emulated one is slower still
PATIENCE = int(os.environ.get("TACIT_TEST_PATIENCE", "120"))


def heed_signals():
    """In the child: a test run in the background of a shell has SIGINT ignored, and hands that
    down."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Folder:
    """A temporary folder in which the command runs."""

    def __init__(self, binary):
        self.binary = os.path.abspath(binary)
        self._temporary = tempfile.TemporaryDirectory(prefix="tacit-cli-")
        self.path = self._temporary.name

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for root, folders, _files in os.walk(self.path):
            for name in folders:
                os.chmod(os.path.join(root, name), 0o700)
        self._temporary.cleanup()

    def name(self, file):
        return os.path.join(self.path, file)

    def write(self, files):
        for name, content in files.items():
            os.makedirs(os.path.dirname(self.name(name)), exist_ok=True)
            with open(self.name(name), "wb") as out:
                out.write(content)

    def environment(self):
        kept = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
                if key in os.environ}
        # A leak or a fault found by a sanitizer must not look like a documented exit code.
        return dict(kept, ASAN_OPTIONS="exitcode=99:detect_leaks=1:allocator_may_return_null=1",
                    UBSAN_OPTIONS="print_stacktrace=1", LC_ALL="C.UTF-8")

    def run(self, argv, stdin=b"", file_limit=None, check=None, closed=(), kept=(),
            patience=PATIENCE, **environment):
        """Run `tacit argv`. file_limit: bytes a file may grow to. check: the exit code that must
        come. closed, kept: descriptors that the command does not have, or gets. environment:
        variables beside the usual ones."""
        def limit():
            if file_limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
            for descriptor in closed:
                os.close(descriptor)
        done = subprocess.run([self.binary, *argv], cwd=self.path, input=stdin, capture_output=True,
                              timeout=patience, env=dict(self.environment(), **environment),
                              preexec_fn=limit, pass_fds=kept)
        if check is not None and done.returncode != check:
            raise AssertionError(f"tacit {' '.join(argv)}: exit {done.returncode}, wanted {check}: "
                                 f"{done.stderr.decode(errors='replace')[:600]}")
        return done

    def start(self, argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
              **environment):
        return subprocess.Popen([self.binary, *argv], cwd=self.path, stdin=stdin, stdout=stdout,
                                stderr=stderr, env=dict(self.environment(), **environment),
                                preexec_fn=heed_signals)

    def listing(self):
        """Name -> size of everything in the folder."""
        found = {}
        for root, folders, files in os.walk(self.path):
            for name in folders + files:
                full = os.path.join(root, name)
                found[os.path.relpath(full,
                                      self.path)] = os.lstat(full).st_size if name in files else -1
        return found

    def spent(self, ledger):
        shown = self.run(["ledger", "show", ledger, "--json"], check=0)
        return json.loads(shown.stdout)


class Tap:
    """Counts checks and prints them."""

    def __init__(self):
        self.count = self.failed = 0

    def check(self, good, name, why=""):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            for line in str(why).splitlines():
                print(f"# {line[:500]}")
        sys.stdout.flush()

    def each(self, things, work):
        """work(thing) gives (name, complaints); things are worked on by two at a time."""
        def careful(thing):
            try:
                return work(thing)
            # a test that cannot be prepared is a failed test, not the end of all
            except Exception as error:
                return str(getattr(thing, "name", thing)), [f"{type(error).__name__}: {error}"]
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for name, complaints in pool.map(careful, things):
                self.check(not complaints, name, "\n".join(complaints))

    def done(self):
        print(f"1..{self.count}")
        return 1 if self.failed else 0
