# SPDX-License-Identifier: Apache-2.0
"""Calls of the library: one context each, so that nothing is shared between threads and nothing is
inherited by a forked process; Ctrl-C ends them soon; progress is shown.

Python handles Ctrl-C in the main thread only, and not inside C. So the main thread hands long work
to a worker and waits; other threads have no Ctrl-C to lose and work themselves. cffi releases the
interpreter's lock while C runs."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from types import TracebackType
from typing import Any, Callable, Iterator, Optional, Union

from tacitdp._errors import error_of, refuse_type
from tacitdp._library import ffi, lib, text_of

Progress = Union[bool, Callable[[str, float], object], None]


class Call:
    """A context of the library for one piece of work.

    >>> with Call() as call:
    ...     call.check(lib.tacit_ctx_set_threads(call.ctx, 1))
    """

    def __init__(self, threads: int = 0, progress: Progress = None, memory: int = 0,
                 spill_dir: Optional[str] = None) -> None:
        out = ffi.new("tacit_ctx **")
        status = lib.tacit_ctx_new(out)
        if status != 0:
            raise error_of(status, text_of(lib.tacit_status_text(status)))
        self.ctx: Any = ffi.gc(out[0], lib.tacit_ctx_free)
        self._progress = progress
        if threads != 0:
            self.check(lib.tacit_ctx_set_threads(self.ctx, threads))
        if memory != 0:
            folder = ffi.NULL if spill_dir is None else ffi.new("char[]", os.fsencode(spill_dir))
            self.check(lib.tacit_ctx_set_memory(self.ctx, memory, folder))

    def __enter__(self) -> Call:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        ffi.release(self.ctx)

    def cancel(self) -> None:
        """Asks running work to stop soon; from any thread."""
        lib.tacit_ctx_cancel(self.ctx)

    def check(self, status: int) -> None:
        """Raises what a status stands for, with the sentence of this context."""
        if status != 0:
            raise error_of(status, text_of(lib.tacit_ctx_message(self.ctx)))

    def do(self, function: Any, *arguments: Any) -> None:
        """A short call: context first, then the arguments."""
        self.check(function(self.ctx, *arguments))

    def make(self, kind: str, function: Any, *arguments: Any) -> Any:
        """A short call whose last argument takes a new object of this kind, freed by itself."""
        out = ffi.new(f"{kind} **")
        self.do(function, *arguments, out)
        return ffi.gc(out[0], getattr(lib, f"{kind}_free"))

    def make_text(self, function: Any, *arguments: Any) -> str:
        """A short call whose last argument takes a text."""
        out = ffi.new("char **")
        self.do(function, *arguments, out)
        try:
            return text_of(out[0])
        finally:
            lib.tacit_free(out[0])

    def run(self, function: Any, *arguments: Any) -> None:
        """The same for long work: shows progress and can be interrupted."""
        with self._shown() as failed:
            status = _interruptible(lambda: function(self.ctx, *arguments), self.cancel,
                                    lambda: text_of(lib.tacit_ctx_message(self.ctx)))
        if failed:
            raise failed[0]
        self.check(status)

    def run_make(self, kind: str, function: Any, *arguments: Any) -> Any:
        """`run` with a new object at its end."""
        out = ffi.new(f"{kind} **")
        self.run(function, *arguments, out)
        return ffi.gc(out[0], getattr(lib, f"{kind}_free"))

    @contextlib.contextmanager
    def _shown(self) -> Iterator[list[BaseException]]:
        """Progress while it lasts. What the user's function raises ends the work, and is kept."""
        failed: list[BaseException] = []
        with contextlib.ExitStack() as stack:
            show = stack.enter_context(_shower(self._progress))
            if show is not None:
                wanted = show

                def step(name: Any, done: float, payload: Any) -> None:
                    try:
                        if not failed:
                            wanted(text_of(name), done)
                    except BaseException as error:  # a cffi callback must not raise
                        failed.append(error)
                        self.cancel()

                callback = ffi.callback("tacit_progress_fn", step)
                lib.tacit_ctx_set_progress(self.ctx, callback, ffi.NULL)
                stack.callback(lib.tacit_ctx_set_progress, self.ctx, ffi.NULL, ffi.NULL)
            yield failed


def _interruptible(work: Callable[[], int], cancel: Callable[[], None],
                   message: Callable[[], str]) -> int:
    """The status of `work`. An exception in the main thread, Ctrl-C above all, cancels it; it is
    raised once the work has ended, because the library holds the caller's rows until then."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    done = threading.Event()
    ticket = [True]  # whoever takes it decides whether the work begins: list.pop is atomic
    result: list[Any] = []

    def worker() -> None:
        try:
            ticket.pop()
            result.append(work())
        except IndexError:
            pass
        finally:
            done.set()

    stopped: Optional[BaseException] = None
    thread = threading.Thread(target=worker, name="tacitdp", daemon=True)
    try:
        thread.start()
        done.wait()
    except BaseException as error:
        stopped = error
        try:
            ticket.pop()  # it has not begun, and will not
            done.set()
        except IndexError:
            cancel()
    while not done.is_set():
        try:
            done.wait()
        except BaseException as error:
            stopped = error
    if stopped is None:
        return int(result[0])
    if isinstance(stopped, KeyboardInterrupt) and result and result[0] == lib.TACIT_E_CANCELLED:
        raise KeyboardInterrupt(message()) from None
    raise stopped


@contextlib.contextmanager
def _shower(progress: Progress) -> Iterator[Optional[Callable[[str, float], object]]]:
    """What to call with each step: the user's function, a bar of tqdm, or a line on stderr."""
    if progress is None or progress is False:
        yield None
        return
    if callable(progress):
        yield progress
        return
    if progress is not True:
        refuse_type("progress is True, False or a function of a step's name and how much is done")
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _line_on_stderr
        sys.stderr.write("\n")
        return
    with tqdm(total=100, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}") as bar:

        def advance(step: str, done: float) -> None:
            bar.set_description(step, refresh=False)
            bar.update(round(100 * done) - bar.n)

        yield advance


def _line_on_stderr(step: str, done: float) -> None:
    sys.stderr.write(f"\r{step:40.40s} {100 * done:3.0f} %")
    sys.stderr.flush()
