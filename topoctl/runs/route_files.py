"""Files of routes: tables of next hops, virtual channels and their proof, loads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from topoctl.analysis.failures import Failures
from topoctl.errors import InvalidParameters
from topoctl.files import is_special, require_folder
from topoctl.options.route import RouteRequest
from topoctl.routing.channels import Certificate
from topoctl.routing.files import left_out, table_format, write_table, written_channels
from topoctl.routing.files.channels import Columns, channel_columns, write_channels
from topoctl.routing.files.loads import write_loads
from topoctl.routing.next_hop_table import next_hop_table
from topoctl.routing.record import Routing
from topoctl.routing.selection import NONE
from topoctl.runs.repairs import EACH
from topoctl.runs.routes import Routed
from topoctl.topology import Topology
from topoctl.wiring.addresses import Addresses

BY_DESTINATION = "destination-layers"
BY_LAYERS = (BY_DESTINATION, "pair-layers")
POLICY = ".conf"
Say = Callable[[str], None]


@dataclass(frozen=True)
class RouteFiles:
    """What is written besides the rows.

    Attributes:
        tables: the next hops of all routers.
        loads: what every link carries.
        certificate: the proof that packets cannot deadlock.
        channels: for the virtual channel of every hop.
        guids: tells the fabric whose GUIDs are in tables and policies for OpenSM.

    Raises:
        InvalidParameters: a name of a file that cannot be written.
        OSError: a folder that is missing, or cannot be written to.
    """

    tables: Path | None
    loads: Path | None
    certificate: Path | None
    channels: Path | None
    guids: Path | None = None

    def __post_init__(self) -> None:
        if self.tables is not None:
            if is_special(self.tables):
                raise InvalidParameters(f"--tables {self.tables}: expected a file, because it is read back")
            table_format(self.tables)
            require_folder(self.tables)
        for option, file, *suffixes in (
            ("loads", self.loads, ".csv"),
            ("certificate", self.certificate, ".npz"),
            ("channels", self.channels, ".csv", ".npz", ".conf"),
        ):
            if file is not None:
                if file.suffix.lower() not in suffixes:
                    *most, last = suffixes
                    ends = f"{', '.join(most)} or {last}" if most else last
                    raise InvalidParameters(f"--{option} {file}: expected a name that ends in {ends}")
                require_folder(file)
        if self.guids is not None and not self._hold_guids:
            raise InvalidParameters(
                f"--guids {self.guids}: GUIDs are in files for OpenSM alone: expected --tables FILE.lfts or "
                "--channels FILE.conf too"
            )

    @property
    def _hold_guids(self) -> bool:
        """Whether a file is for OpenSM."""
        tables = self.tables is not None and table_format(self.tables).guids
        return tables or (self.channels is not None and self.channels.suffix.lower() == POLICY)

    def check_asked(self, request: RouteRequest) -> None:
        """Raise InvalidParameters where a file cannot hold what is asked for."""
        if request.fail in EACH and any(vars(self).values()):
            raise InvalidParameters(f"--fail {request.fail} writes no files: name what has failed for them")
        asked = request.virtual_channels
        for option, file in (("certificate", self.certificate), ("channels", self.channels)):
            if file is not None and asked == NONE:
                raise InvalidParameters(f"--{option} is of virtual channels: it excludes --vcs none")
        if self.channels is not None and self.channels.suffix.lower() == POLICY and asked != BY_DESTINATION:
            raise InvalidParameters(
                f"--channels {self.channels}: a QoS policy of OpenSM holds layers by destination: "
                f"expected --vcs {BY_DESTINATION}"
            )

    def check(self, routings: Sequence[Routing]) -> None:
        """Raise InvalidParameters where a file that holds one routing is asked for several."""
        of_one = {"tables": self.tables, "certificate": self.certificate, "channels": self.channels}
        for option, file in of_one.items():
            if file is not None and len(routings) != 1:
                raise InvalidParameters(f"--{option} holds one routing: expected 1, not {len(routings)}")

    def addresses(self, topology: Topology, failures: Failures | None) -> Addresses | None:
        """Return the GUIDs and ports that the files get; None where they hold none.

        Args:
            topology: the whole network.
            failures: what may be there or not.

        Raises:
            FormatError: the fabric cannot be read, or is not the network as it is planned.
        """
        if self.guids is not None:
            return Addresses.found(self.guids, topology, failures)
        return Addresses.of_ibsim(topology) if self._hold_guids else None

    def as_written(self, found: Sequence[Routed]) -> list[Routed]:
        """Return what was found in the virtual channels that the tables, and the files beside them, hold."""
        if self.tables is None or found[0].channels is None:
            return [*found]
        others = self.channels, self.certificate
        channels = written_channels(found[0].channels, found[0].routes, self.tables, *others)
        return [replace(one, channels=channels) for one in found]

    def note(
        self, asked: str | int, found: Sequence[Routed], written: Sequence[Routed], others: Sequence[Routed]
    ) -> str | None:
        """Say, in a line, what the tables lack for want of virtual channels, or what would hold layers."""
        if self.tables is not None:
            safe = any(
                one.mended and one.channels and one.channels.count == 1 and one.channels.deadlock_free
                for one in others
            )
            instead = "those of --repair anew cannot" if safe else None
            return left_out(found[0].channels, written[0].channels, self.tables, instead)
        if asked not in BY_LAYERS or self.channels is not None:
            return None
        suffixes = ".csv or .npz, or .conf for OpenSM" if asked == BY_DESTINATION else ".csv or .npz"
        return f"{asked}: which packets go in which layer is written by --channels FILE{suffixes}"

    def write(
        self, found: Sequence[Routed], written: Sequence[Routed], addresses: Addresses | None, say: Say
    ) -> None:
        """Write the files that were asked for, with these GUIDs and ports, and say so."""
        beside = "" if self.tables is None else f" beside {self.tables}"
        of = f"--certificate {self.certificate}{beside}"
        proof = None if self.certificate is None else proof_of(written[0], of)
        hops = None if self.channels is None else hops_of(found[0], self.channels)
        if self.tables is not None:
            write_tables(found[0], self.tables, addresses, say)
        if self.certificate is not None and proof is not None:
            proof.write(self.certificate)
            say(f"wrote {self.certificate}, {proof.numbers.size:,} numbers, checked on every path")
        if self.channels is not None and hops is not None:
            write_channel_tables(hops, found[0].routes.topology, self.channels, addresses, say)
        if self.loads is not None:
            topology = found[0].routes.topology
            graph = topology.graph
            rows = [(one.routing.name, one.traffic.name, one.carried.loads) for one in found]
            write_loads(rows, graph, topology.names, self.loads)
            say(f"wrote {self.loads}, the loads of {2 * graph.size:,} channels")

    def parameters(self) -> dict[str, str | None]:
        """What was asked for."""
        return {name: None if file is None else str(file) for name, file in vars(self).items()}


def write_tables(routed: Routed, file: Path, addresses: Addresses | None, say: Say) -> None:
    """Write the next hops of all routers."""
    table = next_hop_table(routed.routes)
    write_table(table, routed.routes.topology, file, addresses)
    each = "" if routed.routes.through is None else " of each leg of a way"
    guids = _guids(addresses if table_format(file).guids else None)
    say(f"wrote {file}, {len(table.routers):,} next hops{each}{guids}, read back")


def _guids(addresses: Addresses | None) -> str:
    """Say whose GUIDs are in a file."""
    return f" with the GUIDs of {addresses.whose}" if addresses else ""


def hops_of(routed: Routed, file: Path) -> Columns:
    """Return the virtual channel of every hop.

    Raises:
        InvalidParameters: packets can deadlock, or the tables hold the channels.
    """
    return channel_columns(proof_of(routed, f"--channels {file}"), routed.routes.topology)


def write_channel_tables(
    columns: Columns, topology: Topology, file: Path, addresses: Addresses | None, say: Say
) -> None:
    """Write the virtual channel of every hop."""
    write_channels(columns, topology, file, addresses)
    guids = _guids(addresses if file.suffix.lower() == POLICY else None)
    say(f"wrote {file}, {len(columns['channel']):,} lines of virtual channels{guids}, read back")


def proof_of(routed: Routed, option: str) -> Certificate:
    """The proof that packets cannot deadlock.

    Raises:
        InvalidParameters: they can.
    """
    proof = None if routed.channels is None else routed.channels.certificate
    if proof is None:
        raise InvalidParameters(f"{option}: {routed.routing.name} can deadlock: there is no proof")
    return proof
