"""Run any search, epoch by epoch, and keep what it has reached safe in a study."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

from topoctl import interruption
from topoctl.errors import TopoctlError
from topoctl.search.pacing import Pacer
from topoctl.search.protocol import Search, SearchState, Status
from topoctl.study.rows import RunStatus
from topoctl.study.store import Study

CHECKPOINT_SECONDS = 1.0

OnStatus = Callable[[Status, float], None]


@dataclass(frozen=True)
class StoredRun:
    """Where a run is kept: the study and the run's id in it."""

    study: Study
    id: int


@dataclass(frozen=True)
class RunOutcome:
    """How far a run came.

    Attributes:
        state: the last whole state.
        seconds: spent searching, before a resume too.
        interrupted: whether it ended before its planned work was done: by Ctrl-C, or by the fault.
        fault: why its study could not be written any more, or None; the state is not in the study then.
    """

    state: SearchState
    seconds: float
    interrupted: bool
    fault: TopoctlError | None = None


def run(
    search: Search, threads: int, stored_run: StoredRun | None, on_status: OnStatus, planning: float = 0.0
) -> RunOutcome:
    """Run a search to its end, from its last checkpoint where it has one.

    A checkpoint is written after every epoch that ends a second or more after the last one; where it cannot
    be, the run ends there. An interruption loses the epoch under way, never more; a resumed run comes to the
    very result of a run that was never interrupted, under the same corrections of its planned work.

    Args:
        search: with all parameters fixed.
        threads: for the kernels; the result does not depend on it.
        stored_run: where to keep checkpoints, or None to keep none.
        on_status: called after every epoch with the counts and the seconds so far.
        planning: seconds spent on the plan of a new run, a part of its time.

    Raises:
        KeyboardInterrupt: before there was any state to keep, or a second time while it was being kept.
    """
    stored = stored_run.study.state(stored_run.id, search) if stored_run else None
    before = stored_run.study.run(stored_run.id).seconds if stored_run and stored else planning
    began = saved = time.monotonic()

    def seconds() -> float:
        return before + time.monotonic() - began

    def keep(state: SearchState, status: RunStatus) -> TopoctlError | None:
        try:
            if stored_run:
                with interruption.held():
                    stored_run.study.save(stored_run.id, state, seconds(), status)
        except TopoctlError as error:
            return error
        return None

    state = stored or search.first_state()
    pacer = Pacer(search, before)
    state = pacer.corrected(state, state.corrections, seconds())
    fault = None
    decoding = stored_run.study.decoding(stored_run.id) if stored_run and stored else nullcontext()
    try:
        with interruption.raised():
            if stored is None:
                fault = keep(state, "running")
            on_status(search.status(state), seconds())
            while fault is None and not search.finished(state):
                with decoding:
                    following = search.step(state, threads)
                decoding = nullcontext()
                state = pacer.corrected(following, state.corrections, seconds())
                on_status(search.status(state), seconds())
                if time.monotonic() - saved >= CHECKPOINT_SECONDS:
                    fault = keep(state, "running")
                    saved = time.monotonic()
    except KeyboardInterrupt:
        pass
    interrupted, spent = not search.finished(state), seconds()
    fault = fault or keep(state, "interrupted" if interrupted else "running")
    return RunOutcome(state, spent, interrupted, fault)
