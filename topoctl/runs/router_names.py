"""Names of the routers and endpoints of a network: put on it, or kept with a run in a study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from topoctl.analysis.floor_plan import floor_plan
from topoctl.errors import InvalidParameters
from topoctl.floor.floor import DEFAULT_FLOOR, Floor, floor_named
from topoctl.runs.run_names import Name
from topoctl.study.processes import described
from topoctl.study.store import Study
from topoctl.topology import Topology
from topoctl.wiring.names import Naming, names_of


def named_on_floor(
    topology: Topology,
    naming: Naming,
    floor: Floor | None = None,
    seed: int = 1,
    threads: int | None = None,
    planes: int = 1,
) -> Topology:
    """The network with the user's names; it is put on its floor where these tell racks.

    Args:
        topology: the network, one plane of it.
        naming: the user's names.
        floor: whose racks they may tell; None for the default one.
        seed: of its plan.
        threads: for its plan.
        planes: copies of the network, whose routers have names plane by plane.

    Raises:
        InvalidParameters: names that do not fit the network.
        Infeasible: the floor has no room.
    """
    ground = floor or floor_named(DEFAULT_FLOOR)
    names = names_of(topology, naming, lambda: floor_plan(topology, ground, seed, threads, planes), planes)
    return replace(topology, names=names)


def named_as_kept(
    topology: Topology,
    naming: Naming,
    name: Name,
    say: Callable[[str], None],
    floor: Floor | None = None,
    seed: int = 1,
    threads: int | None = None,
    planes: int = 1,
) -> Topology:
    """The network of a run with the names kept with it; as it is, where these do not fit it.

    Args:
        topology: the network, one plane of it.
        naming: the names.
        name: of the run or the group.
        say: takes a line on names that do not fit, as those of one network of a group may not fit another.
        floor: as of :func:`named_on_floor`, as what follows.
        seed: of its plan.
        threads: for its plan.
        planes: copies of the network.

    Raises:
        Infeasible: the floor has no room.
    """
    try:
        return named_on_floor(topology, naming, floor, seed, threads, planes)
    except InvalidParameters as error:
        reason = str(error).removeprefix("--names: ")
        say(f"names kept with {described(name)} are left out: {reason}; --names PATTERN gives others")
        return topology


def naming_kept(study: Study, name: Name) -> Naming | None:
    """The user's names that a study keeps with a run or a group; None for none.

    Raises:
        StudyError: it does not exist, or holds something else.
    """
    kept = study.names(*name)
    if kept is None:
        return None
    with study.reading(described(name)):
        return Naming.from_json(kept)
