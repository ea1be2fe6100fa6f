# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, progress, threads and forked processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import tacitdp as td


def fitted(rows, **more):
    return td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1), **more).fit(rows)


def test_ctrl_c_ends_a_run_within_a_second(tmp_path):
    """In a process of its own: the signal goes to its main thread."""
    program = textwrap.dedent("""
        import os, signal, sys, threading, time
        import numpy as np, tacitdp as td
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
        rows = np.random.default_rng(0).random((1_500_000, 10))
        began = threading.Event()
        def interrupt():
            began.wait()
            os.kill(os.getpid(), signal.SIGINT)
            sent.append(time.monotonic())
        sent = []
        threading.Thread(target=interrupt, daemon=True).start()
        km = td.KMeans(64, epsilon=1, delta=1e-6, bounds=(0, 1), threads=1,
                       progress=lambda step, done: began.set())
        try:
            km.fit(rows)
        except KeyboardInterrupt as stopped:
            print("stopped", time.monotonic() - sent[0], hasattr(km, "release_"), stopped)
        else:
            print("ran to its end")
    """)
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, timeout=120)
    words = out.stdout.split()
    assert words and words[0] == "stopped", out
    # one second on an idle machine; a machine that runs other tests too is given time
    assert float(words[1]) < float(os.environ.get("TACIT_TEST_SECONDS", "10"))
    assert words[2] == "False"
    assert "interrupted" in out.stdout  # the library's own sentence: the work did not just end


def test_work_outside_the_main_thread_and_two_at_once(rows):
    found, failed = [], []

    def work():
        try:
            found.append(fitted(rows).release_.to_json())
        except BaseException as error:
            failed.append(error)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failed and len(set(found)) == 4


def test_progress_is_called_with_steps(rows):
    steps = []
    fitted(rows, progress=lambda step, done: steps.append((step, done)))
    assert steps and all(isinstance(step, str) and 0 <= done <= 1 for step, done in steps)


def test_what_progress_raises_ends_the_run(rows):
    def stop(step, done):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fitted(rows, progress=stop)


def test_progress_must_be_a_function(rows):
    with pytest.raises(TypeError, match="progress"):
        fitted(rows, progress=3)


def _child(km, rows, queue):
    try:
        queue.put((km.fit(rows).cluster_centers_.tolist(), km.predict(rows).tolist()[:3]))
    except BaseException as error:
        queue.put(error)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_children_draw_noise_of_their_own(rows):
    km = fitted(rows)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=_child, args=(km, rows, queue)) for _ in range(3)]
    for child in children:
        child.start()
    results = [queue.get(timeout=60) for _ in children]
    for child in children:
        child.join()
    centers = [result[0] for result in results] + [km.cluster_centers_.tolist()]
    assert len({str(one) for one in centers}) == 4


def test_joblib(rows):
    joblib = pytest.importorskip("joblib")
    km = td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1))
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(km.fit)(rows) for _ in range(3))
    assert len({one.release_.to_json() for one in found}) == 3


def test_import_is_quick():
    """numpy is most of it, so the rest is measured against it in one run."""
    code = ("import time; import numpy, cffi; t = time.process_time(); import tacitdp; "
            "print(time.process_time() - t); import sys; "
            "print([m for m in ('sklearn', 'pandas', 'scipy', 'pyarrow', 'polars', 'tqdm') "
            "if m in sys.modules])")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}).stdout
    seconds, modules = out.splitlines()
    assert modules == "[]"
    assert float(seconds) < 0.5  # 0.03 measured on an idle machine
