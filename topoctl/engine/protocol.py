"""What an engine is: a place where tasks run, several at once, in any order."""

from __future__ import annotations

from collections.abc import Mapping
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
    """

    function: str
    values: Mapping[str, Json]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What a task's function gives back.

    Attributes:
        values: JSON values by name.
        arrays: plain arrays by name.
    """

    values: Mapping[str, Json]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


class Engine(Protocol):
    """Runs tasks. One whose worker dies is run again by the engine itself."""

    @property
    def slots(self) -> int:
        """Tasks to keep submitted: as many as run at once, and a few that wait where answers travel."""

    @property
    def threads(self) -> int:
        """For the kernels, of one task."""

    def submit(self, task: Task) -> int:
        """Take a task to be run; the number that its answer comes back with."""

    def completed(self, timeout: float) -> list[tuple[int, Answer | Exception]]:
        """Answers since the last call, or the errors that there were instead.

        Args:
            timeout: seconds to wait for the first one; none of them may come by then.

        Raises:
            EngineLost: the scheduler or all workers are gone.
        """

    def close(self) -> None:
        """Drop what is not done, and let go of the workers."""
