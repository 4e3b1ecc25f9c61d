"""Run a search's next epochs as a task: a state goes in, a later one comes out."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf
from sys import maxsize

from topoctl.engine.protocol import Answer, Engine, Task
from topoctl.engine.tasks import answers_in_order
from topoctl.errors import Damaged
from topoctl.json_shapes import anything, many, number, optional, record, row, whole
from topoctl.search.pacing import REMEMBERED, Pacer
from topoctl.search.protocol import Json, Search, SearchState
from topoctl.search.registry import search_class
from topoctl.search.state import check_decodes, decoding, from_header, header_of

KEPT_SEARCHES = 4 + (os.cpu_count() or 1)
"""Tasks of the same search follow one another, on every thread, and building it again takes time."""
WORK = record(
    {"number": whole(), "seconds": number(0), "total": whole(), "left": whole(), "typical": anything}
)
ANSWER = record(
    {
        "state": record({}, more=True),
        "seconds": number(0),
        "memory": row(optional(WORK), many(number(), len(REMEMBERED), len(REMEMBERED))),
    }
)
"""The values of an answer; the state has a guard of its own, that of a checkpoint."""


@dataclass(frozen=True)
class Progress:
    """How far a search is.

    Attributes:
        state: after its last epoch; None before the first state is made.
        seconds: spent on it, those of its plan included.
        memory: the pacer's; None where the clock begins anew, as after an interruption.
    """

    state: SearchState | None
    seconds: float
    memory: Json = None


def epochs_task(search: Search, progress: Progress, budget: float, epochs: int, threads: int) -> Task:
    """Return the task of a search's next epochs.

    Args:
        search: with all parameters fixed.
        progress: so far.
        budget: seconds after which no further epoch begins; there is one at least.
        epochs: at most, from 1 on.
        threads: for the kernels; the result does not depend on it.
    """
    state = progress.state
    values = {
        "command": search.command,
        "parameters": dict(search.parameters),
        "seconds": progress.seconds,
        "memory": progress.memory,
        "budget": budget,
        "epochs": epochs,
        "threads": threads,
        "state": state and header_of(state),
    }
    check = partial(_check_answer, search, progress, epochs)
    return Task("epochs", values, state.arrays if state else {}, check)


def _check_answer(search: Search, before: Progress, epochs: int, answer: Answer) -> None:
    """Refuse an answer that holds no state of this search, or none that such a task can end in.

    Raises:
        Damaged: saying what is wrong.
    """
    ANSWER(dict(answer.values), "the answer")
    after, former = progress_of(answer), before.state
    assert after.state is not None
    state, seconds = after.state, after.seconds
    check_decodes(search, state)
    first, scored, corrections = (
        (former.epoch, former.evaluations, former.corrections) if former else (0, 0, ())
    )
    least = first if search.finished(state) else first + 1
    if not least <= state.epoch <= first + epochs:
        raise Damaged(f"the answer is of epoch {state.epoch}; expected {least}..{first + epochs}")
    if state.evaluations < scored or seconds < before.seconds:
        raise Damaged(
            f"the answer is of {state.evaluations} evaluations after {seconds:g} s; expected no fewer"
        )
    untimed = search.recorded is None and search.timed_work(state) is None
    kept = state.corrections if untimed else state.corrections[: len(corrections)]
    if kept != corrections:
        raise Damaged("the answer has other corrections than its task")


def progress_of(answer: Answer) -> Progress:
    """Return how far a search is after its task."""
    values = answer.values
    return Progress(from_header(values["state"], answer.arrays), values["seconds"], values["memory"])


def run_epochs(task: Task) -> Answer:
    """Run a search from a state, or from its beginning, until the budget is spent or it is finished."""
    values, began, made = task.values, time.monotonic(), 0
    search = search_of(values["command"], json.dumps(values["parameters"], sort_keys=True))
    before, memory = values["seconds"], values["memory"]
    state = from_header(values["state"], task.arrays) if values["state"] else search.first_state()

    def seconds() -> float:
        return float(before + time.monotonic() - began)

    pacer = Pacer(search, before, memory)
    if memory is None:
        state = pacer.corrected(state, state.corrections, seconds())
    resumed = values["state"] and memory is None
    reading = decoding("the checkpoint") if resumed else nullcontext()
    while not search.finished(state):
        with reading:
            following = search.step(state, values["threads"])
        reading = nullcontext()
        state = pacer.corrected(following, state.corrections, seconds())
        made += 1
        if made == values["epochs"] or time.monotonic() - began >= values["budget"]:
            break
    return Answer(
        {"state": header_of(state), "seconds": seconds(), "memory": pacer.memory},
        state.arrays,
    )


def last_states(engine: Engine, searches: Sequence[Search]) -> Iterator[SearchState]:
    """Run searches to their ends, side by side, and yield their last states in their order; none is kept.

    Raises:
        TopoctlError: what the next search ended in.
    """
    tasks = [
        epochs_task(search, Progress(search.first_state(), 0.0), inf, maxsize, engine.threads)
        for search in searches
    ]
    for answer in answers_in_order(engine, tasks):
        if isinstance(answer, Exception):
            raise answer
        state = progress_of(answer).state
        assert state is not None
        yield state


@lru_cache(maxsize=KEPT_SEARCHES)
def search_of(command: str, parameters: str) -> Search:
    """Build the search of a command from its parameters as JSON."""
    return search_class(command).from_parameters(json.loads(parameters))
