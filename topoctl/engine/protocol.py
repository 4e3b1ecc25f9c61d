"""Tasks, their answers, and engines: places where tasks run, several at once, in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from numpy.typing import NDArray

from topoctl.search.protocol import Json


@dataclass(frozen=True)
class Task:
    """A call of a pure function: the same task has the same answer anywhere, but for the clock.

    Attributes:
        function: a name of :data:`topoctl.engine.tasks.FUNCTIONS`.
        values: JSON values by name.
        arrays: plain arrays by name.
        check: raises Damaged where what comes back is no answer of this task; it does not travel.
    """

    function: str
    values: Mapping[str, Json]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    check: Callable[[Answer], object] = field(default=lambda _: None, compare=False)


@dataclass(frozen=True)
class Answer:
    """What the function of a task returns.

    Attributes:
        values: JSON values by name.
        arrays: plain arrays by name.
    """

    values: Mapping[str, Json]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


class Engine(Protocol):
    """Runs tasks, and runs a task again if its worker dies or answers what no such task can."""

    @property
    def slots(self) -> int:
        """How many tasks to keep submitted: as many as run at once, and some while answers travel."""

    @property
    def threads(self) -> int:
        """How many threads the kernels of one task use."""

    def submit(self, task: Task) -> int:
        """Take a task to be run; return the number that its answer will have."""

    def completed(self, timeout: float) -> list[tuple[int, Answer | Exception]]:
        """Return the answers since the last call, or the errors raised instead.

        Args:
            timeout: seconds to wait for the first answer; the list may be empty then.

        Raises:
            EngineLost: the scheduler or all workers are gone.
        """

    def close(self) -> None:
        """Drop unfinished tasks, and release the workers."""
