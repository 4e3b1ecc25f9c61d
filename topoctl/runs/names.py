"""Runs and groups as people name them: ``7`` and ``g1``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topoctl.study.store import Study

PATTERN = re.compile(r" *(g?)0*([1-9][0-9]{0,99}) *")


@dataclass(frozen=True)
class Name:
    """The name of a run, or of a group.

    Attributes:
        number: counts 1, 2, … in a study, runs and groups for themselves.
        is_group: whether it is a group's.
    """

    number: int
    is_group: bool = False

    def __str__(self) -> str:
        return f"g{self.number}" if self.is_group else str(self.number)

    @property
    def value(self) -> int | str:
        """As JSON has it: the number of a run, or ``g1``."""
        return str(self) if self.is_group else self.number

    @classmethod
    def of(cls, text: str) -> Name | None:
        """The name that a text is, or None.

        Example:
            >>> Name.of("g12"), Name.of("best.edges")
            (Name(number=12, is_group=True), None)
        """
        found = PATTERN.fullmatch(text)
        return None if found is None else cls(int(found[2]), is_group=found[1] == "g")


def runs_named(study: Study, names: Iterable[Name]) -> list[int]:
    """The ids of runs, and of the runs of groups, in the order of their names, each once.

    Raises:
        StudyError: there is no such run or group.
    """
    from topoctl.study.groups import group_of, members_of

    found: dict[int, None] = {}
    for name in names:
        if name.is_group:
            group_of(study, name.number)
            found |= dict.fromkeys(members_of(study, name.number))
        else:
            study.run(name.number)
            found[name.number] = None
    return [*found]
