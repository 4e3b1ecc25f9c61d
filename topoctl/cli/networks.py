"""Networks and runs as commands take them: specs, files, ``7`` and ``g1``, ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.options import Settings
from topoctl.options import whole
from topoctl.runs.networks import network_row, populated, read_topology
from topoctl.runs.run_names import Name

if TYPE_CHECKING:
    from topoctl.floor.floor import Floor
    from topoctl.runs.document import Row
    from topoctl.topology import Topology

NO_NAMES = "none"
"""What ``--names`` is for numbers again."""
Callback = TypeVar("Callback", bound=Callable[..., Any])


@dataclass(frozen=True)
class ChosenNetwork:
    """The network that a command line names.

    Attributes:
        network: a spec, a file or ``-``, or None.
        run: a run or a group instead.
        rank: of its network, or None for the first.
        concentration: endpoints per router that a network without a spec gets, or None.

    Raises:
        UsageError: none is named, or two, or the rank of no run.
    """

    network: str | None
    run: Name | None
    rank: int | None
    concentration: int | None

    def __post_init__(self) -> None:
        check_chosen(self.network, self.run, self.rank)

    def topology(self, settings: Settings, threads: int, names: str | None) -> Topology:
        """The network, with the endpoints that it gets, and its names: see :func:`with_names`."""
        topology, floor = self.on_its_floor(settings, threads)
        return with_names(settings, self.run, names, topology, floor, threads=threads)

    def planes(self, settings: Settings, asked: int | None) -> int:
        """The planes that are asked for; else those of the network in its design, which a line says."""
        if asked is not None or self.run is None:
            return asked or 1
        from topoctl.cli.runs import existing
        from topoctl.runs.stored import planes_of_run
        from topoctl.study.processes import described

        with existing(settings) as study:
            planes = planes_of_run(study, self.run, self.rank or 1)
        if planes > 1:
            settings.say(f"planes of network {self.rank or 1} of {described(self.run)}: {planes}")
        return planes

    def on_its_floor(self, settings: Settings, threads: int) -> tuple[Topology, Floor | None]:
        """The network, and the floor of the run that found it; None without a run, or without a floor."""
        if self.run is None:
            return populated(read_topology(str(self.network), None), self.concentration), None
        from topoctl.cli.runs import existing
        from topoctl.runs.stored import floor_of_run, named_networks

        with existing(settings) as study:
            found = named_networks(study, self.run, self.rank or 1, threads)
            ((finder, certified),) = found.values()
            floor = floor_of_run(study, self.run, finder)
        return populated(certified.topology, self.concentration), floor

    def row(self, topology: Topology) -> Row:
        """What a row says of the network itself."""
        return network_row(topology, self.network)

    def parameters(self) -> dict[str, Any]:
        """What was asked for."""
        return {
            "network": self.network,
            "run": self.run and self.run.value,
            "rank": self.rank,
            "concentration": self.concentration,
        }


def with_names(
    settings: Settings,
    run: Name | None,
    names: str | None,
    topology: Topology,
    floor: Floor | None,
    seed: int = 1,
    threads: int | None = None,
    planes: int = 1,
) -> Topology:
    """Name the routers and endpoints of a network: as is asked for, or as the study keeps it with a run.

    Names that are asked for are kept with the run. Kept ones that do not fit the network are left out, which
    a line says.

    Args:
        settings: the shared options.
        run: of the network, or None.
        names: of ``--names``, or None.
        topology: the network.
        floor: whose racks names may tell; None for the default one.
        seed: of its plan.
        threads: for its plan.
        planes: copies of the network, whose routers have names plane by plane.

    Raises:
        InvalidParameters: names that are none, or that do not fit the network.
        FormatError: a file of names that cannot be read.
        StudyError: the study cannot be read or written, or holds no names.
    """
    if names is None and run is None:
        return topology
    from topoctl.cli.runs import existing
    from topoctl.runs.router_names import named_as_kept, named_on_floor, naming_kept
    from topoctl.study.processes import described
    from topoctl.wiring.names import Naming

    if names is None and run is not None:
        with existing(settings) as study:
            kept = naming_kept(study, run)
        if kept is None:
            return topology
        return named_as_kept(topology, kept, run, settings.say, floor, seed, threads, planes)
    naming = None if names == NO_NAMES else Naming.of(str(names))
    if naming is not None:
        topology = named_on_floor(topology, naming, floor, seed, threads, planes)
    if run is not None and not settings.no_study:
        with existing(settings, read_only=False) as study:
            study.write_names(*run, None if naming is None else naming.as_json())
        settings.say(
            f"names kept with {described(run)}" if naming else f"no names kept with {described(run)}"
        )
    return topology


def check_chosen(network: str | None, run: Name | None, rank: int | None) -> None:
    """Raise UsageError unless there is either a network or a run, and no rank but of a run."""
    if (network is None) == (run is None):
        raise click.UsageError("give a network, or a run with --run")
    if rank is not None and run is None:
        raise click.UsageError("--rank is for the networks of a run: give --run ID")


def one_network(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and the options that name a network, which a command gets as `chosen`."""

    @wraps(command)
    def with_network(
        *,
        network: str | None,
        name_of_run: Name | None,
        rank: int | None,
        concentration: int | None,
        **others: Any,
    ) -> Any:
        return command(chosen=ChosenNetwork(network, name_of_run, rank, concentration), **others)

    options = (
        click.argument("network", metavar="SPEC|FILE|-", required=False, shell_complete=completion.networks),
        run_option("Take the network from this run or group of the study, finished or not."),
        click.option(
            "--rank", type=click.IntRange(min=1), metavar="R", help="Which network of the run [default: 1]."
        ),
        concentration_option("Endpoints per router of a network without a spec."),
    )
    decorated: Callable[..., Any] = with_network
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


def run_option(help_text: str) -> Callable[[Callback], Callback]:
    """``--run``: a run or a group of the study."""
    return click.option(
        "--run",
        "name_of_run",
        type=NameType(),
        metavar="ID|gN",
        shell_complete=completion.runs,
        help=help_text,
    )


def concentration_option(help_text: str) -> Callable[[Callback], Callback]:
    """``--p``: endpoints of networks whose name does not say how many."""
    return click.option(
        "--p",
        "--endpoints-per-router",
        "concentration",
        type=click.IntRange(min=0),
        metavar="P",
        help=help_text,
    )


class NameType(click.ParamType[Name]):
    """A run, or a group."""

    name = "ID|gN"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Name:
        """Text to a name."""
        found = value if isinstance(value, Name) else Name.of(str(value))
        if found is None:
            self.fail(
                f"{value!r}: expected the number of a run, such as 7, or a group, such as g1", param, ctx
            )
        return found


class GroupType(NameType):
    """A group; its number alone will do."""

    name = "gN"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Name:
        """Text to the name of a group."""
        return Name("group", super().convert(value, param, ctx).number)


class Rank(click.ParamType[int]):
    """A rank counted from 1, or ``all``, which is 0."""

    name = "R|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Text to a number."""
        if value == "all":
            return 0
        try:
            rank = whole(str(value))
        except ValueError:
            rank = 0
        if rank < 1:
            self.fail(f"{value!r}: expected a rank from 1 on, or all", param, ctx)
        return rank
