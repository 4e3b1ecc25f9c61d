"""Networks to files: what `export`, `evaluate --graph` and `runs resume --graph` write, and say of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from topoctl.analysis.distances import Disconnected, Distances
from topoctl.cli.options import Settings
from topoctl.formats.registry import SIGNATURES, names_of
from topoctl.runs.networks import populated
from topoctl.search.certify import Certified, write_measured
from topoctl.topology import Topology

if TYPE_CHECKING:
    from topoctl.analysis.sampling import SampledDistances
    from topoctl.runs.document import Row


@dataclass(frozen=True)
class Target:
    """The file that a network goes to.

    Attributes:
        path: its name.
        format: the name of its format, where the suffix does not say it.
        concentration: endpoints per router that a network without a spec gets, or None.
    """

    path: Path
    format: str | None = None
    concentration: int | None = None

    def populated(self, topology: Topology) -> Topology:
        """The network with the endpoints that it gets: see the function of this name."""
        return populated(topology, self.concentration)

    def numbered(self, rank: int) -> Target:
        """The file of one rank of several.

        Example:
            >>> print(Target(Path("found/best.adj.txt")).numbered(2).path)
            found/best-2.adj.txt
        """
        name = self.path.name
        known = [suffix for one in names_of(name) for suffix in SIGNATURES[one].suffixes]
        ends = [suffix for suffix in known if name.lower().endswith(suffix)]
        suffix = max(ends, key=len, default=self.path.suffix)
        stem = name[: len(name) - len(suffix)]
        return replace(self, path=self.path.with_name(f"{stem}-{rank}{name[len(stem) :]}"))


def write_graph(
    topology: Topology,
    distances: Distances | SampledDistances | Disconnected | None,
    target: Target,
    settings: Settings,
    threads: int,
) -> Row:
    """Write a network, read it back, measure it again where all its distances are known, and say so.

    Returns:
        The fields of a row that name the file and its format.
    """
    exact = distances if isinstance(distances, Distances) else None
    written = write_measured(topology, exact, target.path, threads, target.format)
    settings.say(f"wrote {' and '.join(map(str, written.files))}, {written.checked}")
    if written.left_out:
        settings.say(written.left_out)
    return {"file": str(written.files[0]), "format": written.format.name}


def exported_row(
    rank: int,
    certified: Certified,
    target: Target,
    settings: Settings,
    threads: int,
    wanted: int | None = None,
) -> Row:
    """Write a certified network as :func:`write_graph` does; its row."""
    from topoctl.runs.rows import network_row
    from topoctl.search.evaluated_networks import evaluated

    written = write_graph(certified.topology, certified.distances, target, settings, threads)
    return network_row(rank, evaluated(certified, threads, wanted)) | written
