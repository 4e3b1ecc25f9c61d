"""Networks to files: what `export`, `evaluate --graph` and `runs resume --graph` write, and say of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.analysis.effort import refuse_effort
from topoctl.cli.options import Settings
from topoctl.errors import InvalidParameters
from topoctl.formats import format_for
from topoctl.search.certify import Certified, certify, write_certified, write_measured

if TYPE_CHECKING:
    from topoctl.analysis.sampling import SampledDistances
    from topoctl.report.document import Row
    from topoctl.study.store import Study
    from topoctl.study.stored_rows import Run
    from topoctl.topology import Topology


def write_graph(
    topology: Topology,
    distances: Distances | SampledDistances | Disconnected | None,
    path: Path,
    settings: Settings,
    threads: int,
) -> None:
    """Write a network, read it back, measure it again where all its distances are known, and say so."""
    exact = distances if isinstance(distances, Distances) else None
    write_measured(topology, exact, path, threads)
    checked = "read back and measured again" if exact else "read back and compared link by link"
    settings.say(f"wrote {path}, {checked}")


def affordable_distances(topology: Topology, threads: int) -> Distances | Disconnected | None:
    """All distances, or None where measuring them would take much longer than writing the links."""
    try:
        refuse_effort(topology.graph, topology.symmetry)
    except InvalidParameters:
        return None
    return measure(topology.graph, symmetry=topology.symmetry, threads=threads)


def stored_networks(study: Study, run: Run, rank: int | None, threads: int) -> dict[int, Certified]:
    """The network of a rank of a run, or all for None, measured again; by rank.

    Raises:
        InvalidParameters: the run has no such rank.
        StudyError: it has no network yet, or what is stored is damaged or is not what was measured.
    """
    from topoctl.study.networks import chosen_networks

    candidates = chosen_networks(study, run, rank)
    with study.reading(run.id):
        return {one: certify(candidate, threads) for one, candidate in candidates.items()}


def exported_row(
    rank: int, certified: Certified, path: Path, settings: Settings, threads: int, wanted: int | None = None
) -> Row:
    """Write a certified network, read it back, measure it again, and say so; its row."""
    from topoctl.report.rows import network_row
    from topoctl.search.evaluated_networks import evaluated

    write_certified(certified, path, threads)
    settings.say(f"wrote {path}, read back and measured again")
    row = network_row(rank, replace(evaluated(certified, threads, wanted), file=str(path)))
    return row | {"format": format_for(certified.topology, path).name}


def numbered(path: Path, rank: int) -> Path:
    """The file of one rank of several.

    Example:
        >>> print(numbered(Path("found/best.edges"), 2))
        found/best-2.edges
    """
    return path.with_name(f"{path.stem}-{rank}{path.suffix}")
