"""Nothing is reported that was not measured from scratch: a candidate is built again and re-measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.cable_limit import beyond
from topoctl.economics.cabinet_measures import CabinetMeasures
from topoctl.errors import Contradiction, TopoctlError
from topoctl.families import topology_from_spec
from topoctl.formats import format_for, write_topology
from topoctl.formats.files import paths_of
from topoctl.formats.record import ENDPOINTS, LAYOUT, Format
from topoctl.graph import Graph
from topoctl.kernels.backend import backend_name
from topoctl.search.certify_cabinets import measured_in_cabinets
from topoctl.search.protocol import Candidate
from topoctl.topology import Symmetry, Topology

CHEAP_WORK = {"native": 2e10, "numpy": 1e9}
"""order² · degree up to which every router is a source, whatever symmetry is declared: about 0.2 s."""


@dataclass(frozen=True)
class Certified:
    """A network and its distances, measured by the full kernel.

    Attributes:
        topology: the candidate's, or built from its spec.
        distances: of its graph.
        cabinet_measures: its latencies and its power, where the candidate has cabinets.
    """

    topology: Topology
    distances: Distances
    cabinet_measures: CabinetMeasures | None = None


def certify(candidate: Candidate, threads: int | None = None, *, hurried: bool = False) -> Certified:
    """Build a candidate's network and measure it again.

    Every router is a source where that is cheap; in larger networks one router of each orbit is, after the
    symmetry that the family declares was checked against the links.

    Args:
        candidate: with the score that the search computed.
        threads: for the kernel.
        hurried: use a declared symmetry however cheap every router would be.

    Raises:
        Contradiction: the measurement contradicts the candidate's score, or its limit of lengths.
    """
    topology = candidate.topology or topology_from_spec(candidate.spec or "")
    confirm_lengths(topology, "the network found")
    measured = measured_anew(topology.graph, topology.symmetry, threads, hurried=hurried)
    distances = confirm(
        measured, candidate.diameter, candidate.distance_sum, candidate.spec or "the network found"
    )
    return Certified(topology, distances, measured_in_cabinets(candidate, topology, threads))


@dataclass(frozen=True)
class Written:
    """What became of a network in a file.

    Attributes:
        format: that it is written in.
        files: those that hold it, one or two.
        measured: whether the file was measured again.
        left_out: one line that says what the format does not hold, or None.
    """

    format: Format
    files: tuple[Path, ...]
    measured: bool
    left_out: str | None

    @property
    def checked(self) -> str:
        """How the file was checked, in words."""
        if not self.format.is_read:
            return f"not read back: {self.format.title} is written, not read"
        return "read back and measured again" if self.measured else "read back and compared link by link"


def write_certified(
    certified: Certified, path: Path, threads: int | None = None, name: str | None = None
) -> Written:
    """Write a certified network as :func:`write_measured` does."""
    return write_measured(certified.topology, certified.distances, path, threads, name)


def write_measured(
    topology: Topology,
    distances: Distances | None,
    path: Path,
    threads: int | None = None,
    name: str | None = None,
) -> Written:
    """Write a network to a file, read it back, measure what it holds, and compare the links.

    All that is done before the file has its name, so that none has that was not measured.

    Args:
        topology: the network.
        distances: its own; None where it is not connected or too large, so that nothing is measured.
        path: the file.
        threads: for the kernel.
        name: of the format, in place of the one that the file's suffix names.

    Raises:
        TopoctlError: the file does not hold the graph that was measured, its layout, or links within the
            length limit.
        OSError: the file cannot be written.
    """
    writer = format_for(topology, path, name)

    def check(found: Topology) -> None:
        confirm_held(writer, topology, found, str(path))
        if distances is not None:
            measured = measured_anew(found.graph, topology.symmetry, threads)
            confirm(measured, distances.diameter, distances.distance_sum, str(path))
        if found.graph.order != topology.graph.order or not np.array_equal(
            found.graph.links(), topology.graph.links()
        ):
            raise TopoctlError(f"{path}: read back with other links than were written; please report this")

    left_out = write_topology(topology, path, name, check)
    files = tuple(paths_of(path, writer.parts))
    return Written(writer, files, measured=writer.is_read and distances is not None, left_out=left_out)


def confirm_held(writer: Format, topology: Topology, found: Topology, name: str) -> None:
    """Compare what the format of a file holds beside the links; raises TopoctlError where it differs."""
    if LAYOUT in writer.holds:
        confirm_layout(topology, found, name)
    if ENDPOINTS in writer.holds and found.endpoints_per_router.tolist() != (
        topology.endpoints_per_router.tolist()
    ):
        raise TopoctlError(f"{name}: read back with other endpoints than were written; please report this")


def confirm_layout(topology: Topology, found: Topology, name: str) -> None:
    """Compare the layout that was read with the one that was written, and the links with the length limit.

    Formats that hold no limit are read without one; the lengths of the links are compared all the same.

    Raises:
        TopoctlError: they differ.
    """
    layout, limit = topology.layout, topology.length_limit
    if found.layout != layout:
        raise TopoctlError(
            f"{name}: read back as {found.layout}, but written as {layout}; please report this"
        )
    if found.length_limit not in (None, limit):
        raise TopoctlError(
            f"{name}: read back with length limit {found.length_limit}, but written with {limit}; "
            "please report this"
        )
    confirm_lengths(replace(found, length_limit=limit), name)


def confirm_lengths(topology: Topology, name: str) -> None:
    """Measure every link again; raises Contradiction where one is longer than the limit."""
    if topology.layout is None or topology.length_limit is None:
        return
    long = beyond(topology.length_limit, topology.layout, topology.graph.links())
    if long is not None:
        raise Contradiction(
            f"{name}: a link of length {long[1]} beyond the limit {topology.length_limit}; please report this"
        )


def measured_anew(
    graph: Graph, symmetry: Symmetry | None, threads: int | None, *, hurried: bool = False
) -> Distances | Disconnected:
    """Measure from every router where that is cheap and there is time, else from one of each orbit."""
    cheap = not hurried and graph.order**2 * graph.network_radix < CHEAP_WORK[backend_name()]
    return measure(graph, symmetry=None if cheap else symmetry, threads=threads)


def confirm(measured: Distances | Disconnected, diameter: int, distance_sum: int, name: str) -> Distances:
    """Compare a measurement with the score that it should have.

    Raises:
        Contradiction: they differ; nothing of this network may then be reported.
    """
    if isinstance(measured, Disconnected):
        raise Contradiction(f"{name}: not connected, but scored with diameter {diameter}; please report this")
    if (measured.diameter, measured.distance_sum) != (diameter, distance_sum):
        raise Contradiction(
            f"{name}: measured diameter {measured.diameter} and distance sum {measured.distance_sum}, "
            f"but scored {diameter} and {distance_sum}; please report this"
        )
    return measured
