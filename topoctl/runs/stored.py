"""What a study holds of runs and groups: their documents, and their networks, measured again."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoctl.runs.document import Document
from topoctl.runs.run_names import Name
from topoctl.search.certify import Certified, certify
from topoctl.search.state import decoding
from topoctl.study.groups import Group, StoredGroup, group_of
from topoctl.study.networks import DESIGN, chosen_networks, chosen_of_group
from topoctl.study.processes import described
from topoctl.study.rows import Run as RunRow
from topoctl.study.runner import StoredRun
from topoctl.study.store import Study
from topoctl.version import __version__

if TYPE_CHECKING:
    from topoctl.floor.floor import Floor


@dataclass
class Reported:
    """A run or a group that has finished, as its study keeps it.

    Attributes:
        study: opened to read.
        name: of the run or the group.
        command: that made it.
        document: as it was printed.
    """

    study: Study
    name: Name
    command: str
    document: Document | None

    interrupted = False
    unmeasured = 0
    stored: StoredRun | StoredGroup | None = None

    def networks_of(self, threads: int, rank: int | None = None) -> list[Certified]:
        """Its network of a rank, or all for None, best first, measured again."""
        found = named_networks(self.study, self.name, rank, threads)
        return [found[one][1] for one in sorted(found)]

    def keep(self) -> None:
        """It is kept already."""

    def refuse_nothing(self) -> None:
        """It has found something."""


def row_of(study: Study, name: Name) -> RunRow | Group:
    """The row of a run or of a group.

    Raises:
        StudyError: it does not exist, or is damaged.
    """
    return group_of(study, name.number) if name.is_group else study.run(name.number)


def warn_of_version(row: RunRow | Group, name: Name) -> None:
    """Warn of a run or a group that another version began."""
    if row.version != __version__:
        message = (
            f"{described(name)} began with topoctl {row.version}; under {__version__} its result may differ"
        )
        warnings.warn(message, RuntimeWarning, stacklevel=2)


def floor_of_run(study: Study, name: Name, finder: RunRow | None) -> Floor | None:
    """The floor on which a run, or the design that it is part of, placed its networks; None for none.

    Args:
        study: of the run.
        name: of the run or the group that is asked for.
        finder: the run that found the network, if one did.

    Raises:
        InvalidParameters: cabinets that are larger than any rack.
        StudyError: it does not exist, or is damaged.
    """
    from topoctl.floor.floor import Floor, floor_named

    number = name.number if name.is_group else None if finder is None else finder.group
    with study.reading(described(name)), decoding("its floor"):
        group = None if number is None else group_of(study, number)
        if group is not None and group.command == DESIGN:
            return Floor(**group.parameters["floor"])
        grown = finder is not None and finder.parameters.get("standing_network")
        if grown and grown.get("floor") is not None:
            return Floor(**grown["floor"])
        if finder is None or finder.parameters.get("cabinet") is None:
            return None
        width, depth = map(float, finder.parameters["cabinet"])
        overhead = float(finder.parameters["overhead"] or 0.0)
    cabinets = {"rack_width": width, "rack_depth": depth, "overhead": overhead}
    return floor_named("grid2016").changed(name=described(name), **cabinets)


def planes_of_run(study: Study, name: Name, rank: int) -> int:
    """The planes in which a design has the network of a rank; 1 of anything else.

    Raises:
        StudyError: it does not exist, or is damaged.
    """
    group = group_of(study, name.number) if name.is_group else None
    if group is None or group.command != DESIGN or group.document is None:
        return 1
    with study.reading(described(name)), decoding("its planes"):
        return int(group.document["results"][rank - 1].get("planes", 1))


def named_networks(
    study: Study, name: Name, rank: int | None, threads: int
) -> dict[int, tuple[RunRow | None, Certified]]:
    """The network of a rank of a run or a group, or all for None, measured again, with the run that found it.

    Raises:
        InvalidParameters: it has no such rank.
        StudyError: it has no network yet, or what is stored is damaged or is not what was measured.
    """
    if not name.is_group:
        run = study.run(name.number)
        candidates = chosen_networks(study, run, rank)
        with study.reading(run.id):
            return {one: (run, certify(candidate, threads)) for one, candidate in candidates.items()}
    found: dict[int, tuple[RunRow | None, Certified]] = {}
    for one, (finder, candidate) in chosen_of_group(study, name.number, rank).items():
        with study.reading(described(name) if finder is None else finder.id):
            found[one] = (finder, certify(candidate, threads))
    return found
