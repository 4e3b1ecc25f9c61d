"""What a search is asked for, from the options that are given and what a preset or a start file adds."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from topoctl.errors import InvalidParameters, quoted
from topoctl.runs.lengths import CABINET, OVERHEAD, metres_of, usual_cabinets

if TYPE_CHECKING:
    from topoctl.search.annealing.request import AnnealingRequest, DescentRequest
    from topoctl.search.design.request import DesignRequest
    from topoctl.search.growth.request import GrowAsked
    from topoctl.search.hosts.request import HostsRequest
    from topoctl.search.populations.cayley_request import CayleyRequest
    from topoctl.search.populations.equality_request import EqualityRequest
    from topoctl.search.protocol import Search
    from topoctl.search.simulation.search import PointAsked

EQUALITY, CAYLEY = "search equality", "search cayley"
GRID, GRAPH = "optimize grid", "optimize graph"
SWEEP, SIMULATE, GROW = "optimize sweep", "simulate", "grow"
HOSTS = "optimize hosts"
DEFAULT_SECONDS, BARE_SECONDS, CELL_SECONDS = 20.0, 10.0, 60.0
BARE_CAYLEY = {"order": 2048, "network_radix": 28}
BARE_HOSTS = {"hosts": 1024, "router_radix": 10}
BARE_DESIGN = {"endpoints": "1000", "router_radix": "36"}
BARE_EQUALITY, BARE_GRAPH = "equality/e361", "graph/n256-k5"
BARE_GRIDS = {"grid": "grid/10x10-k4-l3", "diagrid": "grid/diagrid-7x14-k4-l3"}

Options = dict[str, Any]
"""By the names of the fields of a request, and ``preset``; fields that are not given are missing."""


def equality_request(given: Options) -> tuple[EqualityRequest, str]:
    """A request for Equality networks, and what to say of choices that nobody asked for.

    Raises:
        InvalidParameters, Infeasible: an option is missing, wrong, or contradicts another.
    """
    from topoctl.search.populations.equality_request import EqualityRequest

    name, given = given.get("preset"), with_links(without_preset(given))
    announcement = ""
    limited = any(name in given for name in ("seconds", "evaluations", "generations"))
    if name is None and "order" not in given and "network_radix" not in given:
        name = BARE_EQUALITY
        announcement = f"no --n, --k or --preset: searching preset {BARE_EQUALITY}"
        if not limited:
            given = {"seconds": BARE_SECONDS, **given}
            announcement += f" for {BARE_SECONDS:.0f} s"
    elif not limited:
        given = {"seconds": DEFAULT_SECONDS, **given}
        announcement = f"no --seconds, --evaluations or --generations: searching for {DEFAULT_SECONDS:.0f} s"
    if name is not None:
        given = from_preset(EQUALITY, name, given)
    require(given, {"order": "--n", "network_radix": "--k"})
    return EqualityRequest(**given), announcement


def cayley_request(given: Options) -> tuple[CayleyRequest, str]:
    """A request for Cayley networks, and what to say of choices that nobody asked for.

    Raises:
        InvalidParameters, Infeasible: an option is missing, wrong, or contradicts another.
    """
    from topoctl.search.populations.cayley_request import CayleyRequest

    given = with_links(given)
    announcement, seconds = "", DEFAULT_SECONDS
    if "group" in given and "order" not in given:
        given = {**given, "order": math.prod(given["group"][:2])}
    if "order" not in given and "network_radix" not in given:
        given, seconds = {**BARE_CAYLEY, **given}, BARE_SECONDS
        announcement = "no --n or --k: searching 2048 routers of 28 links"
    if "seconds" not in given and "evaluations" not in given:
        given = {**given, "seconds": seconds}
        said = f"for {seconds:.0f} s"
        announcement = (
            f"{announcement} {said}" if announcement else f"no --seconds or --evaluations: searching {said}"
        )
    for name, option in {"order": "--n", "network_radix": "--k"}.items():
        if name not in given:
            raise InvalidParameters(f"{option} is missing; --n and --k go together")
    if "tolerance" in given:
        given = {**given, "tolerance": routers_of(given["tolerance"], given["order"])}
    return CayleyRequest(**given), announcement


def routers_of(tolerance: int | str, order: int) -> int:
    """A number of routers, or a part of an order in percent.

    Raises:
        InvalidParameters: the text is neither.

    Example:
        >>> routers_of("2%", 1000), routers_of("12", 1000)
        (20, 12)
    """
    written = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)", str(tolerance).strip())
    if not written or ("." in written[1] and not written[2]):
        raise InvalidParameters(
            f"tolerance {quoted(str(tolerance))}: expected a number of routers, or percent such as 2%"
        )
    return int(Fraction(written[1]) * order / 100) if written[2] else int(written[1])


def grid_request(given: Options) -> tuple[AnnealingRequest, str]:
    """A request for networks on a floor, and what to say of choices that nobody asked for.

    Raises:
        InvalidParameters, Infeasible: an option is missing, wrong, or contradicts another.
        FormatError: a start file that cannot be read, or has no positions.
    """
    from topoctl.search.annealing.objectives import objective_kind
    from topoctl.search.annealing.request import AnnealingRequest

    given, announcement = completed_grid(given)
    for name in ("width", "height"):
        if given[name] < 1:
            raise InvalidParameters(f"--{name} {given[name]}: expected 1 or more")
    given = {"layout": "grid", **given, "order": given["width"] * given["height"]}
    given = {**objective_kind(given.get("objective", "aspl")).defaults, **given}
    if isinstance(given["length_limit"], str):
        given, said = with_cables(given)
        announcement = "; ".join(filter(None, (announcement, said)))
    return AnnealingRequest(**given), announcement


def with_cables(given: Options) -> tuple[Options, str]:
    """The options with a limit in metres in place of its text, and cabinets; and what to say of those."""
    metres, said = metres_of(given["length_limit"]), ""
    if "cabinet" not in given:
        given = {"overhead": OVERHEAD, **given, "cabinet": CABINET}
        said = usual_cabinets(given["overhead"])
    others = {name: value for name, value in given.items() if name != "length_limit"}
    return {**others, "length_limit_m": metres}, said


def completed_grid(given: Options) -> tuple[Options, str]:
    """The options with what a preset, a start file or the paper's problem adds."""
    names = {"width": "--width", "height": "--height", "degree": "--k", "length_limit": "--l"}
    if "preset" in given:
        given = from_preset(GRID, given["preset"], without_preset(given))
    elif "start" not in given and not any(name in given for name in names):
        return bare(GRID, BARE_GRIDS[given.get("layout", "grid")], ", ".join(names.values()), given)
    if "start" in given:
        from topoctl.search.annealing.starts.start_file import values_of_file

        given = {**values_of_file(given["start"], placed=True), **given}
    require(given, names)
    return limited(given)


def graph_request(given: Options) -> tuple[AnnealingRequest, str]:
    """A request for networks without positions, and what to say of choices that nobody asked for.

    Raises:
        InvalidParameters, Infeasible: an option is missing, wrong, or contradicts another.
        FormatError: a start file that cannot be read.
    """
    from topoctl.search.annealing.request import AUTO, AnnealingRequest

    given, announcement = completed_graph(given)
    if given.get("origin") == "none":
        given = {**given, "origin": None}
    elif "start" not in given and "symmetry" not in given:
        given = {"origin": AUTO, **given}
    return AnnealingRequest(**given), announcement


def grow_request(given: Options) -> tuple[GrowAsked, str]:
    """A request for a network that grows, and what to say of choices that nobody asked for.

    Args:
        given: options of the search; ``topology``, the network that stands, with ``network``, what rows say
            of it; and one of ``routers`` to add, the ``order`` in the end, and the ``steps``.

    Raises:
        InvalidParameters: an option is missing, wrong, or contradicts another; the network is not connected.
        Infeasible: no connected network has what was asked for.
    """
    from topoctl.search.growth.request import GrowAsked

    topology = given["topology"]
    stands = topology.graph.order
    given, announcement = limited(given)
    told = {name: given.pop(name) for name in ("routers", "order") if name in given}
    if len(told) > 1 or (told and "steps" in given) or not (told or "steps" in given):
        raise InvalidParameters("expected one of --routers, --n and --steps: how many routers there will be")
    added = told.get("routers", told.get("order", stands + 1) - stands)
    if added < 1:
        raise InvalidParameters(f"--n {told['order']}: expected more than the {stands} routers that stand")
    steps = given.get("steps", (added,))
    if (parts := len(topology.graph.component_sizes())) > 1:
        raise InvalidParameters(f"the network that grows has {parts} parts: expected a connected one")
    most = topology.graph.network_radix
    degree = given.get("degree", most)
    if degree < most:
        raise InvalidParameters(
            f"--k {degree}: a router of the network has {most} links; expected {most} or more"
        )
    if topology.layout is not None:
        layout, longest = topology.layout, int(topology.layout.lengths(topology.edges).max())
        own = topology.length_limit if isinstance(topology.length_limit, int) else longest
        given = {"length_limit": own, **given, "layout": layout.kind, "width": layout.width}
        if given["length_limit"] < longest:
            raise InvalidParameters(f"--l {given['length_limit']}: a link of the network is {longest} long")
    endpoints = topology.endpoints_per_router
    uneven = bool((endpoints != endpoints[0]).any())
    if uneven:
        said = "routers have different numbers of endpoints: new ones get none"
        announcement = "; ".join(filter(None, (announcement, said)))
    each = endpoints.tolist() if uneven else topology.concentration
    given["network"] = {**given["network"], "endpoints": each}
    grown = {"standing": stands, "order": stands + sum(steps), "steps": steps, "degree": degree}
    return GrowAsked(**{**given, **grown}), announcement


def hosts_request(given: Options) -> tuple[HostsRequest, str]:
    """A request for host-switch graphs, and what to say of choices that nobody asked for.

    Raises:
        InvalidParameters, Infeasible: an option is missing, wrong, or contradicts another.
        FormatError: a start file that cannot be read.
    """
    from topoctl.search.hosts.request import HostsRequest

    said = ""
    if "start" in given:
        from topoctl.formats import read_topology

        begun = read_topology(given["start"])
        sizes = {"hosts": begun.endpoints, "order": begun.graph.order, "router_radix": begun.router_radix}
        given = {"symmetry": 1, **sizes, **given}
    elif "hosts" not in given and "router_radix" not in given:
        given, said = (
            {**BARE_HOSTS, **given},
            "no --hosts or --router-radix: 1024 hosts on routers of 10 ports",
        )
        if "seconds" not in given and "moves" not in given:
            given, said = {**given, "seconds": BARE_SECONDS}, f"{said}, for {BARE_SECONDS:.0f} s"
    for name, option in {"hosts": "--hosts", "router_radix": "--router-radix"}.items():
        if name not in given:
            raise InvalidParameters(f"{option} is missing; --hosts and --router-radix go together")
    given, announcement = limited(given)
    return HostsRequest(**given), "; ".join(filter(None, (said, announcement)))


def completed_graph(given: Options) -> tuple[Options, str]:
    """The options with what a preset, a start file or the default problem adds."""
    if "preset" in given:
        given = from_preset(GRAPH, given["preset"], without_preset(given))
    elif "start" not in given and "order" not in given and "degree" not in given:
        return bare(GRAPH, BARE_GRAPH, "--n, --k", given)
    if "start" in given:
        from topoctl.search.annealing.starts.start_file import values_of_file

        given = {**values_of_file(given["start"], placed=False), **given}
    require(given, {"order": "--n", "degree": "--k"})
    return limited(given)


def require(given: Options, names: dict[str, str]) -> None:
    """Refuse incomplete options; `names` gives each one's name on the command line."""
    for name, option in names.items():
        if name not in given:
            together = ", ".join(names.values()) if len(names) > 2 else " and ".join(names.values())
            raise InvalidParameters(f"{option} is missing; {together} go together, or give --preset")


def with_links(given: Options) -> Options:
    """The options with the links per router that the ports of a router leave, k' = k - p.

    Raises:
        InvalidParameters: nobody says how many ports the endpoints take, or --k says otherwise.
    """
    ports = given.get("router_radix")
    if ports is None:
        return given
    if "concentration" not in given:
        raise InvalidParameters(f"--router-radix {ports}: expected --p too, for k' = k - p links per router")
    links = ports - given["concentration"]
    if given.get("network_radix", links) != links:
        raise InvalidParameters(
            f"--router-radix {ports}: --k {given['network_radix']} and --p {given['concentration']} make "
            f"{given['network_radix'] + given['concentration']} ports"
        )
    others = {name: value for name, value in given.items() if name != "router_radix"}
    return {**others, "network_radix": links}


def without_preset(given: Options) -> Options:
    """The options that say something of the request itself."""
    return {name: value for name, value in given.items() if name != "preset"}


def from_preset(command: str, name: str, given: Options) -> Options:
    """The options with what they leave open taken from a preset."""
    from topoctl.papers.presets import preset  # takes 10 MiB

    return {**preset(name, command).search.model_dump(), **given}


def bare(command: str, name: str, missing: str, given: Options) -> tuple[Options, str]:
    """A preset's problem for a command that names none, in less time than else; and what to say of it."""
    announcement = f"no {missing} or --preset: preset {name}"
    if "seconds" not in given and "moves" not in given:
        given = {**given, "seconds": BARE_SECONDS}
        announcement += f" for {BARE_SECONDS:.0f} s"
    return from_preset(command, name, given), announcement


def limited(given: Options) -> tuple[Options, str]:
    """The options with a default time where they name no limit, and what to say of it."""
    if "seconds" in given or "moves" in given:
        return given, ""
    said = f"no --seconds or --moves: optimizing for {DEFAULT_SECONDS:.0f} s"
    return {"seconds": DEFAULT_SECONDS, **given}, said


def descent_request(given: Options) -> tuple[DescentRequest, str]:
    """A request for a cell of a paper's table or figure, and what to say of choices that nobody asked for.

    Args:
        given: the table's name, ``cells`` that choose one cell of it, and options of the search.

    Raises:
        InvalidParameters: the table does not exist or needs no search, or an option is wrong.
        Infeasible: it has no such cell, or no connected network has the cell's values.
    """
    from topoctl.papers.sweeps import restricted, sweep
    from topoctl.search.annealing.request import DescentRequest

    known, announcement = sweep(given["name"]), ""
    if known.objective == "bounds":
        raise InvalidParameters(f"{known.name} needs no search: it is of bounds alone")
    [cell] = restricted(known.cells(), given["cells"])
    others = {name: value for name, value in given.items() if name not in ("name", "cells")}
    if "seconds" not in others and "moves" not in others:
        others["seconds"] = CELL_SECONDS
        announcement = f"no --seconds or --moves: {CELL_SECONDS:.0f} s at most"
    return DescentRequest(name=known.name, objective=known.objective, cell=cell, **others), announcement


def design_request(given: Options) -> tuple[DesignRequest, str]:
    """What is required of a network to build, and what to say of choices that nobody made.

    Raises:
        InvalidParameters: an option is missing, wrong, or contradicts another.
    """
    from topoctl.families.spec import same_name
    from topoctl.search.design.request import DesignRequest

    words = [same_name(name) for name in given.get("families", ())]
    given = {**given, "families": tuple(dict.fromkeys(word for word in words if word != "all"))}
    given["floor_asked"] = "floor" in given or "room" in given
    said = []
    if "endpoints" not in given and "router_radix" not in given:
        given = {**BARE_DESIGN, **given}
        said.append("no --endpoints and --router-radix: 1000 endpoints on routers of 36 ports")
    given = on_floor(given)
    if "router_radix" not in given and given["prices"].sold:
        given["router_radix"] = str(given["prices"].sold[-1].ports)
        said.append(f"no --router-radix: {given['router_radix']} ports, the most that are sold")
    for name, option in {"endpoints": "--endpoints", "router_radix": "--router-radix"}.items():
        if name not in given:
            raise InvalidParameters(f"{option} is missing; --endpoints and --router-radix go together")
    if "seconds" not in given and "evaluations" not in given:
        seconds = BARE_SECONDS if said else DEFAULT_SECONDS
        given["seconds"] = seconds
        said.append(f"no --seconds or --evaluations: {seconds:.0f} s")
    if "throughput" not in given:
        said.append(f"no --throughput: {DesignRequest.throughput} at least")
    if given["prices"].sold:
        given, sold = within_sold(given)
        said += [sold] if sold else []
    return DesignRequest(**given), "; ".join(said)


def within_sold(given: Options) -> tuple[Options, str]:
    """The options with no more ports than the largest router that is sold has, and what to say of that.

    Raises:
        InvalidParameters: all routers that are asked for have more, or the range is invalid.
    """
    from topoctl.search.design.request import at_most
    from topoctl.search.enumeration.windows import Window

    asked, largest = given["router_radix"], given["prices"].sold[-1].ports
    ports = at_most("--router-radix", asked)
    if ports.most <= largest:
        return given, ""
    reason = f"--router-radix {asked}: no router of more than {largest} ports is sold"
    if ports.least > largest:
        raise InvalidParameters(f"{reason}; expected ..{largest}")
    said = f"{reason}, so no network of more is looked at"
    return {**given, "router_radix": str(Window(ports.least, largest))}, said


def on_floor(given: Options) -> Options:
    """The options with a floor and prices in place of the words that describe them.

    Raises:
        InvalidParameters: no preset has that name, or a size is out of range.
        FormatError: a file is missing, or does not describe a floor or prices.
    """
    from topoctl.economics.prices import prices_asked
    from topoctl.floor.floor import DEFAULT_FLOOR, floor_named

    own = ("room", "prices", "electrical", "sold")
    others = {name: value for name, value in given.items() if name not in own}
    width, depth = given.get("room") or (None, None)
    floor = floor_named(given.get("floor", DEFAULT_FLOOR)).changed(width=width, depth=depth)
    prices = prices_asked(given.get("prices"), given.get("electrical"), given.get("sold"))
    return {**others, "floor": floor, "prices": prices}


def point_request(given: Options) -> tuple[PointAsked, str]:
    """A request for one point of a simulation.

    Args:
        given: options of the simulation, and ``networks``, the words that name the one network.

    Raises:
        InvalidParameters: an option is wrong, or asks for more than one point.
        FormatError: a file that does not hold a network.
    """
    from topoctl.routing.patterns import patterns_in
    from topoctl.runs.networks import network_row, read_topology
    from topoctl.search.simulation.search import PointAsked
    from topoctl.simulation.request import SimulationRequest
    from topoctl.simulation.workloads import jobs_of, refuse_idle_options

    asked = {name: value for name, value in given.items() if name != "networks"}
    request, networks = SimulationRequest(**asked), given["networks"]
    alone = request.saturation or request.work is not None or request.replay is not None
    works = [] if request.work is None else jobs_of(request)
    refuse_idle_options(request, works)
    for name, values, one in (
        ("networks", networks, "one network"),
        ("--routing", request.routing.split(","), "one"),
        ("--traffic", patterns_in(request.traffic), "one"),
        ("--load", () if alone else request.load, "one, --saturation, or --work"),
        ("--work", [name for name, _ in works], "one"),
    ):
        if len(values) > 1 or not (values or name in ("--load", "--work")) or "all" in values:
            written = ",".join(map(str, values)) or "none"
            raise InvalidParameters(
                f"{name} {quoted(written)}: a cell is one point: expected {one}, or an axis"
            )
    topology = read_topology(networks[0], None)
    return PointAsked(request, topology, network_row(topology, networks[0])), ""


REQUESTS: dict[str, Callable[[Options], tuple[Any, str]]] = {
    EQUALITY: equality_request,
    CAYLEY: cayley_request,
    GRID: grid_request,
    GRAPH: graph_request,
    SWEEP: descent_request,
    SIMULATE: point_request,
    GROW: grow_request,
    HOSTS: hosts_request,
}
"""By the commands that search."""


def planned_search(command: str, given: Options, threads: int) -> tuple[Search, str]:
    """The search of a command with these options, its work planned; and what to say of other choices.

    Raises:
        InvalidParameters, Infeasible: an option is missing, wrong, or contradicts another.
        FormatError: a start file that cannot be read.
    """
    from topoctl.search.registry import search_class

    request, said = REQUESTS[command](given)
    return search_class(command).plan(request, threads), said


def remark_on(search: Search) -> str:
    """Say in a line what a planned search cannot have as it was requested; empty where it can."""
    return str(getattr(getattr(search, "problem", None), "irregularity", ""))


def reseeded(search: Search, seed: int) -> Search:
    """The same search with another seed: its planned work, too, is that which was measured once for all."""
    from topoctl.search.growth.search import GrowSearch
    from topoctl.search.registry import search_class
    from topoctl.search.simulation.search import PointSearch

    if isinstance(search, PointSearch | GrowSearch):  # which may have a network at hand
        return search.reseeded(seed)
    parameters = json.loads(json.dumps({**search.parameters, "seed": seed}))
    found: Search = search_class(search.command).from_parameters(parameters)
    return found
