"""Runs and groups as people name them: ``7`` and ``g1``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from topoctl.study.processes import Kind
    from topoctl.study.store import Study

PATTERN = re.compile(r" *(g?)0*([1-9][0-9]{0,99}) *")


class Name(NamedTuple):
    """The name of a run, or of a group.

    Attributes:
        kind: which of both.
        number: counts 1, 2, … in a study, runs and groups for themselves.
    """

    kind: Kind
    number: int

    def __str__(self) -> str:
        return f"g{self.number}" if self.is_group else str(self.number)

    @property
    def is_group(self) -> bool:
        """Whether it is a group's."""
        return self.kind == "group"

    @property
    def value(self) -> int | str:
        """As JSON has it: the number of a run, or ``g1``."""
        return str(self) if self.is_group else self.number

    @classmethod
    def of(cls, text: str) -> Name | None:
        """The name that a text is, or None.

        Example:
            >>> Name.of("g12"), Name.of("best.edges")
            (Name(kind='group', number=12), None)
        """
        found = PATTERN.fullmatch(text)
        return None if found is None else cls("group" if found[1] else "run", int(found[2]))


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
