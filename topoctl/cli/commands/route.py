"""``topoctl route``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import ChosenNetwork, one_network
from topoctl.cli.options import Settings, given_in, request_options, shared_options_but
from topoctl.errors import InvalidParameters
from topoctl.files import is_special, require_folder
from topoctl.measuring_requests import RouteRequest
from topoctl.report.notes import route_notes
from topoctl.report.table import Table

if TYPE_CHECKING:
    from topoctl.api.routed import Routed
    from topoctl.routing.channels import Certificate
    from topoctl.routing.record import Routing

TABLE = Table(
    (
        *("routing", "traffic", "throughput", "max_channel_load", "mean_channel_load", "max_hops"),
        *("worst_case_throughput", "best_throughput", "best_minimal_throughput", "table_entries"),
        *("virtual_channels", "channel_scheme", "deadlock_free"),
    ),
    route_notes,
)

EXAMPLES = """Examples:
  topoctl route 'slimfly(q=5,p=4)'
  topoctl route 'dragonfly(p=4,a=8,h=4)' --routing ecmp,valiant --traffic uniform,adversarial
  topoctl route 'torus(dims=8x8)' --routing all --traffic bitcomp,transpose,tornado --json
  topoctl route 'slimfly(q=7,p=6)' --routing ecmp,valiant,best --worst-case --best
  topoctl route network.edges --p 4 --traffic demand.csv
  topoctl route 'dragonfly(p=2,a=4,h=2)' --routing updown-spread --tables tables.lfts
  topoctl route --run 1 --rank 2 --routing spread --tables tables.csv --loads loads.csv

Every routing, pattern and scheme: topoctl glossary NAME"""

NONE, BY_DESTINATION = "none", "destination-layers"
BY_LAYERS = (BY_DESTINATION, "pair-layers")


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@one_network
@request_options(RouteRequest)
@shared_options_but("no_study")
def route(
    settings: Settings,
    chosen: ChosenNetwork,
    certificate: Path | None,
    channels: Path | None,
    tables: Path | None,
    loads: Path | None,
    **given: Any,
) -> None:
    """Route a network: next hops, virtual channels, and the load of its links under traffic.

    A load is what a link carries in one direction when every endpoint sends all it can, as a share of the
    link's bandwidth; links and endpoints have the same bandwidth. The throughput is the share of its
    bandwidth that every endpoint can send before the most loaded link is full. Tables are read back before
    they are reported as written.
    """
    import time

    from topoctl.api.routed import together
    from topoctl.api.routes import routed, routings_and_traffic
    from topoctl.kernels.backend import thread_count
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.document import document

    files = RouteFiles(tables, loads, certificate, channels)
    request = RouteRequest(**given_in(given))
    files.check_channels(request.virtual_channels)
    began = time.monotonic()
    threads = thread_count(settings.workers)
    topology = chosen.topology(settings, threads)
    routings, patterns = routings_and_traffic(request, topology, settings.say)
    files.check(routings)
    with ProgressDisplay(quiet=settings.quiet) as progress:
        found = routed(request, topology, routings, patterns, threads, progress.counted, settings.say)
    written = files.as_written(found)
    files.write(found, written, settings.say)
    known = chosen.row(topology)
    parameters = {
        **chosen.parameters(),
        **files.parameters(),
        "routing": [record.name for record in routings],
        "traffic": [pattern.name for pattern in patterns],
        "virtual_channels": request.virtual_channels,
        "worst_case": request.worst_case,
        "best": request.best,
        "exact": request.exact,
    }
    notes = [
        *(record.note for record in routings),
        *(pattern.note for pattern in patterns),
        files.note(request.virtual_channels, found, written),
    ]
    made = document(
        "route",
        parameters,
        [known | one.numbers() for one in written],
        seed=request.seed,
        evaluations=len(found),
        seconds=time.monotonic() - began,
        notes=together(notes),
    )
    settings.emit(made, TABLE)


Say = Callable[[str], None]


@dataclass(frozen=True)
class RouteFiles:
    """What is written besides the rows.

    Attributes:
        tables: the next hops of all routers.
        loads: what every link carries.
        certificate: the proof that packets cannot deadlock.
        channels: in which virtual channel packets go on, at every router.

    Raises:
        UsageError: a name of a file that cannot be written.
        InvalidParameters: a suffix of no format of tables.
        OSError: a folder that is missing, or cannot be written to.
    """

    tables: Path | None
    loads: Path | None
    certificate: Path | None
    channels: Path | None

    def __post_init__(self) -> None:
        if self.tables is not None:
            from topoctl.routing.files import table_format

            if is_special(self.tables):
                raise click.UsageError(f"--tables {self.tables}: expected a file, because it is read back")
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
                    raise click.UsageError(f"--{option} {file}: expected a name that ends in {ends}")
                require_folder(file)

    def check_channels(self, asked: str | int) -> None:
        """Raise UsageError where virtual channels are to be written, and others or none are asked for."""
        for option, file in (("certificate", self.certificate), ("channels", self.channels)):
            if file is not None and asked == NONE:
                raise click.UsageError(f"--{option} is of virtual channels: it excludes --vcs none")
        if self.channels is not None and self.channels.suffix.lower() == ".conf" and asked != BY_DESTINATION:
            raise click.UsageError(
                f"--channels {self.channels}: a QoS policy of OpenSM holds layers by destination: "
                f"expected --vcs {BY_DESTINATION}"
            )

    def check(self, routings: Sequence[Routing]) -> None:
        """Raise UsageError where a file that holds one routing is asked for several."""
        of_one = {"tables": self.tables, "certificate": self.certificate, "channels": self.channels}
        for option, file in of_one.items():
            if file is not None and len(routings) != 1:
                raise click.UsageError(f"--{option} holds one routing: expected 1, not {len(routings)}")

    def as_written(self, found: Sequence[Routed]) -> list[Routed]:
        """Return what was found in the virtual channels that the tables, and the files beside them, hold."""
        if self.tables is None or found[0].channels is None:
            return [*found]
        from topoctl.routing.files import written_channels

        others = self.channels, self.certificate
        channels = written_channels(found[0].channels, found[0].routes, self.tables, *others)
        return [replace(one, channels=channels) for one in found]

    def note(self, asked: str | int, found: Sequence[Routed], written: Sequence[Routed]) -> str | None:
        """Say, in a line, what the tables lack for want of virtual channels, or what would hold layers."""
        if self.tables is not None:
            from topoctl.routing.files import left_out

            return left_out(found[0].channels, written[0].channels, self.tables)
        if asked not in BY_LAYERS or self.channels is not None:
            return None
        suffixes = ".csv or .npz, or .conf for OpenSM" if asked == BY_DESTINATION else ".csv or .npz"
        return f"{asked}: which packets go in which layer is written by --channels FILE{suffixes}"

    def write(self, found: Sequence[Routed], written: Sequence[Routed], say: Say) -> None:
        """Write those that were asked for, and say so."""
        beside = "" if self.tables is None else f" beside {self.tables}"
        of = f"--certificate {self.certificate}{beside}"
        proof = None if self.certificate is None else proof_of(written[0], of)
        if self.tables is not None:
            write_tables(found[0], self.tables, say)
        if self.certificate is not None and proof is not None:
            proof.write(self.certificate)
            say(f"wrote {self.certificate}, {proof.numbers.size:,} numbers, checked on every path")
        if self.channels is not None:
            write_channel_tables(found[0], self.channels, say)
        if self.loads is not None:
            from topoctl.routing.files.loads import write_loads

            graph = found[0].routes.topology.graph
            rows = [(one.routing.name, one.traffic.name, one.carried.loads) for one in found]
            write_loads(rows, graph, self.loads)
            say(f"wrote {self.loads}, the loads of {2 * graph.size:,} channels")

    def parameters(self) -> dict[str, str | None]:
        """What was asked for."""
        return {name: None if file is None else str(file) for name, file in vars(self).items()}


def write_tables(routed: Routed, file: Path, say: Say) -> None:
    """Write the next hops of all routers."""
    from topoctl.routing.files import table_format, write_table
    from topoctl.routing.next_hop_table import next_hop_table

    table = next_hop_table(routed.routes)
    write_table(table, routed.routes.topology, file)
    each = "" if routed.routes.through is None else " of each leg of a way"
    guids = table_format(file).guids
    say(f"wrote {file}, {len(table.routers):,} next hops{each}{guids and f' {guids}'}, read back")


def write_channel_tables(routed: Routed, file: Path, say: Say) -> None:
    """Write in which virtual channel packets go on, at every router."""
    from topoctl.routing.files.channels import channel_columns, write_channels
    from topoctl.routing.files.linear import GUIDS

    topology = routed.routes.topology
    columns = channel_columns(proof_of(routed, f"--channels {file}"), topology)
    write_channels(columns, topology, file)
    guids = f" {GUIDS}" if file.suffix.lower() == ".conf" else ""
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
