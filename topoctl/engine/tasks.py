"""Tasks: the functions they name, the engine of this process, and answers in the order of the tasks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import count
from queue import Empty, SimpleQueue
from threading import Event

from topoctl.engine.protocol import Answer, Engine, Task
from topoctl.errors import TopoctlError
from topoctl.interruption import wanted

POLL_SECONDS = 0.5  # progress is told twice a second

FUNCTIONS = {
    "epochs": "topoctl.engine.epochs:run_epochs",
    "measurement": "topoctl.engine.design_measurements:measure_network",
    "simulation": "topoctl.engine.design_measurements:simulate_network",
    "distances": "topoctl.engine.enumeration_distances:measure_distances",
    "trials": "topoctl.engine.failure_trials:run_trials",
}
"""The functions of tasks by name, so that only data travels; a module is imported when it is called."""


def perform(task: Task) -> Answer:
    """Call the function of a task."""
    module, _, name = FUNCTIONS[task.function].partition(":")
    found: Answer = getattr(import_module(module), name)(task)
    return found


class Local:
    """Runs every task when its answer is asked for.

    Args:
        threads: for the kernels.
    """

    slots = 1

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._numbers = count(1)
        self._waiting: deque[tuple[int, Task]] = deque()

    def submit(self, task: Task) -> int:
        """Take a task to be run."""
        number = next(self._numbers)
        self._waiting.append((number, task))
        return number

    def completed(self, timeout: float) -> list[tuple[int, Answer | Exception]]:  # noqa: ARG002 - nothing waits
        """Run the task that has waited longest."""
        if not self._waiting:
            return []
        number, task = self._waiting.popleft()
        try:
            return [(number, perform(task))]
        except TopoctlError as error:
            return [(number, error)]

    def close(self) -> None:
        """Drop what waits."""
        self._waiting.clear()


class SideBySide:
    """Runs tasks on threads of this process, the kernels of each on that thread alone.

    Args:
        slots: tasks at once.
    """

    threads = 1

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._numbers = count(1)
        self._closed = Event()
        self._answers: SimpleQueue[tuple[int, Answer | Exception]] = SimpleQueue()
        self._pool = ThreadPoolExecutor(slots)

    def submit(self, task: Task) -> int:
        """Take a task to be run."""
        number = next(self._numbers)
        self._pool.submit(self._run, number, task)
        return number

    def _run(self, number: int, task: Task) -> None:
        wanted.set(lambda: not self._closed.is_set())
        try:
            self._answers.put((number, perform(task)))
        except Exception as error:  # noqa: BLE001 - it is handed on, whatever was raised
            self._answers.put((number, error))

    def completed(self, timeout: float) -> list[tuple[int, Answer | Exception]]:
        """Return the answers since the last call."""
        with suppress(Empty):
            return [self._answers.get(timeout=timeout)]
        return []

    def close(self) -> None:
        """Drop what waits, and what is under way where it asks whether it is wanted."""
        self._closed.set()
        self._pool.shutdown(cancel_futures=True)


def answers_in_order(
    engine: Engine, tasks: Sequence[Task], on_done: Callable[[int], None] | None = None
) -> Iterator[Answer | Exception]:
    """Yield the answers of tasks in the order of the tasks, or the errors raised instead.

    As many tasks are under way as the engine has room for.

    Args:
        engine: where they run; every task is given the engine's threads as the value `threads`.
        tasks: in the order of the answers.
        on_done: called with how many are done, twice a second or so.
    """
    under_way, found = dict[int, int](), dict[int, Answer | Exception]()
    begun = 0
    for place in range(len(tasks)):
        while place not in found:
            while begun < len(tasks) and len(under_way) < engine.slots:
                values = {**tasks[begun].values, "threads": engine.threads}
                under_way[engine.submit(replace(tasks[begun], values=values))] = begun
                begun += 1
            for number, answer in engine.completed(POLL_SECONDS):
                found[under_way.pop(number)] = answer
            if on_done:
                on_done(place + len(found))
        yield found.pop(place)
