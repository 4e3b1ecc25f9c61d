"""Certification: networks are built and measured again from scratch before they are reported or written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.analysis.endpoints import endpoint_histogram
from topoctl.analysis.latency import LatencySettings
from topoctl.analysis.latency_bounds import latency_bounds
from topoctl.cable_limit import beyond
from topoctl.economics.cabinet_measures import CabinetMeasures, measure_in_cabinets
from topoctl.errors import Contradiction, TopoctlError
from topoctl.families import topology_from_spec
from topoctl.formats import format_for, write_topology
from topoctl.formats.files import paths_of
from topoctl.formats.record import ENDPOINTS, LAYOUT, Format
from topoctl.graph import Graph
from topoctl.kernels.backend import backend_name
from topoctl.search.protocol import CabinetScore, Candidate
from topoctl.topology import Symmetry, Topology

CHEAP_WORK = {"native": 2e10, "numpy": 1e9}  # about 0.2 s
"""order² · degree up to which every router is a source, whatever symmetry is declared."""


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
    declared symmetry was checked against the links.

    Args:
        candidate: with the score that the search computed.
        threads: for the kernel.
        hurried: use a declared symmetry however cheap every router would be.

    Raises:
        Contradiction: the measurement contradicts the candidate's score, or its limit of lengths.
    """
    topology = candidate.topology or topology_from_spec(candidate.spec or "")
    _confirm_lengths(topology, "the network found")
    measured = _measured_anew(topology.graph, topology.symmetry, threads, hurried=hurried)
    name = candidate.spec or "the network found"
    if candidate.of_hosts:
        distances = _confirm_hosts(candidate, topology, measured, threads)
    else:
        distances = confirm(measured, candidate.diameter, candidate.distance_sum, name)
    return Certified(topology, distances, _measured_in_cabinets(candidate, topology, threads))


def _confirm_hosts(
    candidate: Candidate, topology: Topology, measured: Distances | Disconnected, threads: int | None
) -> Distances:
    """Compare distances between hosts with the score that a search claims; returns those between routers.

    Raises:
        Contradiction: they differ, or the routers are not connected.
    """
    scored = candidate.diameter, candidate.distance_sum
    if isinstance(measured, Disconnected):
        raise Contradiction(f"the network found: not connected, but scored {scored}; please report this")
    pairs = endpoint_histogram(topology, measured, threads)
    found = len(pairs) + 1, sum((hops + 2) * count for hops, count in enumerate(pairs))
    if found != scored:
        raise Contradiction(
            f"the network found: measured host diameter and hops {found}, but scored {scored}; "
            "please report this"
        )
    return measured


def _measured_in_cabinets(
    candidate: Candidate, topology: Topology, threads: int | None
) -> CabinetMeasures | None:
    """Measure latencies and power of a connected network in its candidate's cabinets; None without cabinets.

    Raises:
        Contradiction: the measurement contradicts what the search computed.
    """
    if candidate.cabinets is None or topology.layout is None:
        return None
    found = measure_in_cabinets(topology, candidate.cabinets, threads)
    if isinstance(found.latency, Disconnected):
        raise Contradiction("the network found: not connected, but scored; please report this")
    optical = found.power.cables - found.power.electric_cables
    measured = CabinetScore(found.latency.latency_sum, found.latency.worst, optical)
    if candidate.cabinet_score not in (None, measured):
        raise Contradiction(
            f"the network found: measured {measured}, but scored {candidate.cabinet_score}; "
            "please report this"
        )
    radix, limit = topology.graph.network_radix, topology.length_limit
    settings = LatencySettings(cabinets=candidate.cabinets)
    return replace(found, least_latency=latency_bounds(topology.layout, radix, limit, settings))


@dataclass(frozen=True)
class Written:
    """A network that was written to a file.

    Attributes:
        format: the format of the file.
        files: one or two files that hold the network.
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

    The file gets its name only after all these checks.

    Args:
        topology: the network.
        distances: of the network; None where it is not connected or too large to be measured.
        path: the file.
        threads: for the kernel.
        name: of the format; None for the format that the suffix of the file names.

    Raises:
        TopoctlError: the file does not hold the graph that was measured, its layout, or links within the
            length limit.
        OSError: the file cannot be written.
    """
    writer = format_for(topology, path, name)

    def check(found: Topology) -> None:
        _confirm_held(writer, topology, found, str(path))
        if distances is not None:
            measured = _measured_anew(found.graph, topology.symmetry, threads)
            confirm(measured, distances.diameter, distances.distance_sum, str(path))
        if found.graph.order != topology.graph.order or not np.array_equal(
            found.graph.links(), topology.graph.links()
        ):
            raise TopoctlError(f"{path}: read back with other links than were written; please report this")

    left_out = write_topology(topology, path, name, check)
    files = tuple(paths_of(path, writer.parts))
    return Written(writer, files, measured=writer.is_read and distances is not None, left_out=left_out)


def _confirm_held(writer: Format, topology: Topology, found: Topology, name: str) -> None:
    """Compare what a format holds beside the links; raises TopoctlError if anything differs."""
    if LAYOUT in writer.holds:
        _confirm_layout(topology, found, name)
    if ENDPOINTS in writer.holds and found.endpoints_per_router.tolist() != (
        topology.endpoints_per_router.tolist()
    ):
        raise TopoctlError(f"{name}: read back with other endpoints than were written; please report this")


def _confirm_layout(topology: Topology, found: Topology, name: str) -> None:
    """Compare the layout that was read with the one written, and the links with the length limit.

    The lengths of the links are also compared where the format holds no limit.

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
    _confirm_lengths(replace(found, length_limit=limit), name)


def _confirm_lengths(topology: Topology, name: str) -> None:
    """Measure every link again; raises Contradiction if one is longer than the limit."""
    if topology.layout is None or topology.length_limit is None:
        return
    long = beyond(topology.length_limit, topology.layout, topology.graph.links())
    if long is not None:
        raise Contradiction(
            f"{name}: a link of length {long[1]} beyond the limit {topology.length_limit}; please report this"
        )


def _measured_anew(
    graph: Graph, symmetry: Symmetry | None, threads: int | None, *, hurried: bool = False
) -> Distances | Disconnected:
    """Measure from every router where that is cheap and not `hurried`, else from one router of each orbit."""
    cheap = not hurried and graph.order**2 * graph.network_radix < CHEAP_WORK[backend_name()]
    return measure(graph, symmetry=None if cheap else symmetry, threads=threads)


def confirm(measured: Distances | Disconnected, diameter: int, distance_sum: int, name: str) -> Distances:
    """Compare a measurement with the score that a search claims.

    Raises:
        Contradiction: they differ, so that the network must not be reported.
    """
    if isinstance(measured, Disconnected):
        raise Contradiction(f"{name}: not connected, but scored with diameter {diameter}; please report this")
    if (measured.diameter, measured.distance_sum) != (diameter, distance_sum):
        raise Contradiction(
            f"{name}: measured diameter {measured.diameter} and distance sum {measured.distance_sum}, "
            f"but scored {diameter} and {distance_sum}; please report this"
        )
    return measured
