"""Files of work as they are read: tasks, each with its line, and what they wait for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from topoctl.analysis.cycles import shortest_cycle
from topoctl.errors import FormatError
from topoctl.simulation.workloads.record import Work


@dataclass(kw_only=True)
class Reading:
    """What has been read of a file.

    Attributes:
        path: of the file.
        line: of the statement at hand, from 1.
        tasks: as those of :class:`Work`.
        lines: theirs.
        needs: as those of :class:`Work`.
    """

    path: str | Path
    line: int = 1
    tasks: list[tuple[int, int, int]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    needs: list[tuple[int, int]] = field(default_factory=list)

    def fault(self, reason: str, line: int | None = None) -> FormatError:
        """Return the error that says what is wrong with a line, the present one for None."""
        return FormatError(self.path, reason, line or self.line)

    def add(self, source: int, destination: int, size: int, line: int | None = None) -> int:
        """Add a task of a line, the present one for None, and return its number."""
        self.tasks.append((source, destination, size))
        self.lines.append(line or self.line)
        return len(self.tasks) - 1

    def work(self, ranks: int, things: str) -> Work:
        """Return the work of what was read.

        Args:
            ranks: in all.
            things: what tasks are called in this kind of file.

        Raises:
            FormatError: there are no tasks, or some wait for each other in a circle.
        """
        if not self.tasks:
            raise self.fault(f"no {things}: expected one or more", 1)
        tasks = np.array(self.tasks, dtype=np.int64)
        work = Work(ranks, tasks, np.array(self.needs, dtype=np.int64).reshape(-1, 2))
        if circle := _circle_of(work):
            lines = [*dict.fromkeys(self.lines[task] for task in circle)]
            raise self.fault(f"{things} wait for each other: lines {_round_and_round(lines)}", lines[0])
        return work


def _circle_of(work: Work) -> list[int] | None:
    """Return tasks that wait for each other in a circle, each for the one before it, or None.

    Example:
        >>> tasks = np.zeros((3, 3), dtype=np.int64)
        >>> _circle_of(Work(1, tasks, np.array([[1, 1], [3, 2]]))) is None
        True
        >>> _circle_of(Work(1, tasks, np.array([[1, 1], [3, 2], [5, 1]])))
        [1, 2]
    """
    before, after = work.needs[:, 0] // 2, work.needs[:, 1]
    alone = np.flatnonzero(before == after)
    return [int(before[alone[0]])] if len(alone) else shortest_cycle(before, after, len(work.tasks))


MOST_NAMED = 10


def _round_and_round(lines: list[int]) -> str:
    """Return how what stands on these lines waits in a circle.

    Example:
        >>> _round_and_round([3, 8]), _round_and_round([*range(20)])
        ('3 -> 8 -> 3', '0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> ...')
    """
    names = [str(line) for line in [*lines, lines[0]]]
    return " -> ".join(names if len(lines) <= MOST_NAMED else [*names[:MOST_NAMED], "..."])
