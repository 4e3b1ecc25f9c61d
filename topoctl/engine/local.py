"""The engine that needs nothing installed: tasks run in this process, one after the other."""

from __future__ import annotations

from collections import deque
from itertools import count

from topoctl.engine.functions import perform
from topoctl.engine.protocol import Answer, Task
from topoctl.errors import TopoctlError


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
