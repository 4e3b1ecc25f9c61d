"""Networks: built from specs, read from files, measured, written; and published ones."""

from __future__ import annotations

from pathlib import Path

from topoctl.analysis.assessment import Assessment, assess
from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.distances import Distances
from topoctl.analysis.effort import affordable_distances, refuse_effort
from topoctl.api.arguments import checked_arguments, network_of
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.formats import doubt_numbering, formats_for, read_topology
from topoctl.runs.document import Row
from topoctl.search.certify import Written, write_measured
from topoctl.topology import Topology


def build(spec: str) -> Topology:
    """Build the network that a spec names, such as ``slimfly(q=5,p=4)``; :func:`list_families` lists them.

    Raises:
        InvalidParameters: no family has such a spec, or the family refuses its parameters.

    Example:
        >>> build("slimfly(q=5,p=4)").endpoints
        200
    """
    checked_arguments(build, spec=spec)
    return topology_from_spec(spec)


def read(path: str | Path, *, p: int | None = None, format: str | None = None) -> Topology:  # noqa: A002
    """Read a network from a file, in whichever format its content is.

    Args:
        path: the file, or ``-`` for standard input.
        p: endpoints per router, in place of what the file says.
        format: its name, in place of any choice.

    Raises:
        FormatError: the file is missing, unreadable or malformed.
        InvalidParameters: no format has that name.
    """
    checked_arguments(read, path=path, p=p, format=format)
    topology = read_topology(path, concentration=p, name=format)
    doubt_numbering(path, topology)
    return topology


def write(topology: Topology, path: str | Path, *, format: str | None = None) -> Written:  # noqa: A002
    """Write a network to a file, read the file back, compare its links, and measure it again.

    A network that would take long to measure is compared link by link only, and so is one in parts.

    Args:
        topology: the network.
        path: the file, its format by suffix.
        format: its name, where the suffix does not say it.

    Returns:
        How the file was checked, and what its format does not hold.

    Raises:
        InvalidParameters: no format has that name or suffix, or the format cannot hold the network.
        FormatError: there is no such folder.
        TopoctlError: the file cannot be written, or does not hold the network.
    """
    checked_arguments(write, topology=topology, path=path, format=format)
    formats_for(path, format)
    distances = affordable_distances(topology)
    return write_measured(
        topology, distances if isinstance(distances, Distances) else None, Path(path), name=format
    )


def measure(
    topology: Topology | str | Path,
    *,
    sources: int | None = None,
    exact: bool = False,
    seed: int = 1,
    workers: int | None = None,
    progress: OnProgress | None = None,
) -> Assessment:
    """Measure a network, and be ready to tell every number of it.

    Args:
        topology: the network, its spec, or a file of it.
        sources: measure from this many random routers only; the ASPL then has a 95% interval.
        exact: measure from all routers, however long it takes.
        seed: of the random routers.
        workers: threads; by default every core.
        progress: called with the sources done and their total.

    Raises:
        InvalidParameters: an argument is wrong, or the measurement would take long and `exact` is not set.

    Example:
        >>> found = measure(build("slimfly(q=5,p=4)"))
        >>> found.diameter, round(found.aspl, 5), found.numbers()["endpoints"]
        (2, 1.85714, 200)
        >>> measure("slimfly(q=5,p=4)").diameter
        2
    """
    measured = network_of(topology)
    numbers = {"sources": sources, "exact": exact, "seed": seed, "workers": workers}
    checked_arguments(measure, **numbers, progress=progress)
    if sources is not None and exact:
        raise InvalidParameters("sources and exact exclude each other")
    if sources is not None and sources < 2:
        raise InvalidParameters(f"sources {sources}: expected 2 or more")
    if sources is None and not exact:
        refuse_effort(measured.graph, measured.symmetry)
    return assess(measured, workers, sources=sources, seed=seed, progress=progress)


def list_families() -> list[Row]:
    """The families of networks, a dictionary each: `topoctl families`.

    Example:
        >>> [(row["title"], row["example"]) for row in list_families() if row["name"] == "mesh"]
        [('Mesh', 'mesh(dims=2x3x4)')]
    """
    from topoctl.families import FAMILIES
    from topoctl.runs.listed_rows import family_row

    return [family_row(FAMILIES[name]) for name in sorted(FAMILIES)]


def presets() -> list[Row]:
    """The published networks worth searching again, a dictionary each: `topoctl presets list`.

    Example:
        >>> [(row["order"], row["network_radix"]) for row in presets() if row["name"] == "equality/e361"]
        [(2048, 28)]
    """
    from topoctl.papers.presets import all_presets
    from topoctl.runs.listed_rows import preset_row

    return [preset_row(preset) for preset in all_presets()]
