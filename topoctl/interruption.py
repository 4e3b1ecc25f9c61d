"""Ctrl-C, from the first lines of the process on: its end within two seconds, whatever is being computed.

An exception is no safe way out of everywhere: imports wrap it in another, callbacks swallow it, and a long
call into C delays it. So Ctrl-C ends the process at once, wherever it is. The exceptions are three: a search
that has something to report hears KeyboardInterrupt, once, and has PATIENCE_SECONDS for it (:func:`raised`);
what is written and printed is first finished (:func:`held`); and a second Ctrl-C waits for neither. The loop
of a search hears it in ``study/runner.py``; how to resume is said by ``cli/runs.py``.

Nothing of this is so before :func:`install`, which only the process's own entry calls: in a library or a test
Ctrl-C is what it is everywhere else.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from time import monotonic

TYPE_CHECKING = False  # typing, and dataclasses, take longer to import than all that is here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any, NoReturn

EXIT_CODE = 130
PATIENCE_SECONDS = 1.6
"""After which the process ends: what it takes to say so, and to give large memory back, comes on top."""


class State:
    """What Ctrl-C means at the moment.

    Attributes:
        raising: the next one raises KeyboardInterrupt.
        answered: one has, so the process is about to end.
        held: how many blocks hold it back.
        line: what is said at the end.
        actions: what is done before the end, latest first.
    """

    def __init__(self) -> None:
        self.raising = self.answered = False
        self.held = 0
        self.line = "interrupted"
        self.actions: list[Callable[[], object]] = []


_state = State()
_ending = threading.RLock()
"""Taken for good by whoever ends the process; nobody can begin to write or print then."""


def install() -> None:
    """Make Ctrl-C end this process; not where it is ignored, as that of a job in the background is."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _on_signal)
    sys.unraisablehook = _say_unless_interrupted
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading,), daemon=True).start()


@contextmanager
def raised() -> Iterator[None]:
    """The first Ctrl-C in the block raises KeyboardInterrupt, and all that follows has a short time left."""
    with _ending:
        _state.raising = True
    try:
        yield
    finally:
        _state.raising = False


@contextmanager
def held() -> Iterator[None]:
    """Hold Ctrl-C back while something is written or printed, and deliver it afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived = False

    def remember(*_: object) -> None:
        nonlocal arrived
        arrived = True

    with _ending:
        _state.held += 1
    former = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
        _state.held -= 1
        if arrived and callable(former):
            former(signal.SIGINT, None)


class Unwanted(Exception):  # noqa: N818 - nothing is wrong
    """Nobody waits any more for what this thread computes."""


wanted: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=lambda: True)
"""Whether somebody waits for what this thread computes; a thread of an engine sets it, and a plan of time."""


@contextmanager
def wanted_until(end: float) -> Iterator[None]:
    """Let nobody wait for what this thread computes in the block once the monotonic clock is at `end`."""
    token = wanted.set(lambda: monotonic() < end)
    try:
        yield
    finally:
        wanted.reset(token)


def require_wanted() -> None:
    """End what this thread computes where nobody waits for it any more, as after Ctrl-C.

    Long loops call it, and the compiled kernels about twenty times a second.

    Raises:
        Unwanted: nobody does.
    """
    if not wanted.get()():
        raise Unwanted


def answered() -> bool:
    """Whether a Ctrl-C has raised KeyboardInterrupt: what comes out after it may be that in disguise."""
    return _state.answered


def say_at_the_end(line: str) -> None:
    """What Ctrl-C says from now on, in one line."""
    _state.line = line


def do_at_the_end(action: Callable[[], object]) -> None:
    """What Ctrl-C does before it ends the process, from now on."""
    _state.actions.append(action)


def forget(action: Callable[[], object]) -> None:
    """The inverse of :func:`do_at_the_end`."""
    _state.actions.remove(action)


def leave() -> NoReturn:
    """End the process now, in any thread, without unwinding."""
    with _ending:
        for action in reversed(_state.actions):
            with suppress(OSError):
                action()
        write_last((" ".join(_state.line.split()) + "\n").encode(errors="replace"))
        os._exit(EXIT_CODE)


def write_last(text: bytes) -> None:
    """Write on standard error, unless it takes nothing now: a full pipe, or a stopped terminal."""
    with suppress(OSError):
        if select.select([], [2], [], 0)[1]:
            os.write(2, text)


def _on_signal(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's arguments
    if not _state.raising:
        leave()
    _state.answered, _state.raising = True, False
    raise KeyboardInterrupt


def _watch(reading: int) -> None:
    """Do what the main thread would, which hears of no signal while it is in a long call into C."""
    while signal.SIGINT not in os.read(reading, 1):
        pass
    with _ending:
        if not (_state.raising or _state.answered or _state.held):
            leave()
    select.select([reading], [], [], PATIENCE_SECONDS)
    leave()


def _say_unless_interrupted(unraisable: Any) -> None:
    """Say nothing of a KeyboardInterrupt that came where no exception can: the watch ends the process."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
