"""``topoctl simulate``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import ChosenNetwork, concentration_option, run_option
from topoctl.cli.options import (
    Settings,
    cluster_option,
    refuse_both,
    request_options,
    shared_options,
)
from topoctl.cli.runs import SearchCommand, report, session_of
from topoctl.files import require_folder
from topoctl.report.notes import simulation_notes, told_apart
from topoctl.report.table import Table
from topoctl.runs.document import Document, Row
from topoctl.runs.run_names import Name
from topoctl.simulation.request import SimulationRequest

TABLE = Table(
    (
        *("spec", "file", "routing", "traffic", "saturation_load", "offered_load", "accepted_load"),
        *(
            "saturated",
            "latency",
            "latency_half_width",
            "latency_p99",
            "latency_ns",
            "mean_hops",
            "throughput",
        ),
        *("zero_load_latency", "virtual_channels", "bottleneck", "cycles"),
    ),
    simulation_notes,
    deciding=("saturation_load", "offered_load", "accepted_load", "latency"),
)

OF_A_POINT = ("spec", "file", "routing", "traffic", "offered_load")
BY_TIME = Table(
    (
        *(*OF_A_POINT, "cycle", "accepted_load", "latency"),
        *("latency_p99", "network_latency", "mean_hops", "largest_link_load", "mean_simulated_link_load"),
        "packets",
    ),
    simulation_notes,
    rows=lambda document: _rows_by_time(document["results"]),
)
SEARCH = SearchCommand(TABLE)

WORK_TABLE = Table(
    (
        *("spec", "file", "routing", "job", "work", "ranks", "completion_cycles", "completion_half_width"),
        *("completion_ns", "ideal_cycles", "efficiency", "bandwidth_per_rank", "message_latency"),
        *("message_latency_ns", "message_latency_p99", "messages", "flits", "mean_hops"),
        *("virtual_channels", "bottleneck", "placement"),
    ),
    simulation_notes,
    deciding=("job", "completion_cycles", "efficiency"),
)

EXAMPLES = """Examples:
  topoctl simulate 'slimfly(q=5,p=4)'
  topoctl simulate 'dragonfly(p=2,a=4,h=2)' --routing dragonfly,ugal-l --traffic uniform,adversarial
  topoctl simulate 'slimfly(q=5,p=4)' 'torus(dims=8x8,p=1)' --saturation
  topoctl simulate 'slimfly(q=5,p=4)' --routing ugal-l --load 0.6 --then adversarial@50000 --every 5000
  topoctl simulate 'hyperx(dims=4x4,p=4)' --packet-size 1:0.8,16:0.2 --bursts 50
  topoctl simulate 'dragonfly(p=2,a=4,h=2)' --clock 1.25 --floor racks42
  topoctl simulate 'fattree(k=8)' --routing fattree --load 0.5..0.95:0.05 --curve latency.png
  topoctl simulate network.edges --p 4 --packet-size 4 --buffer 32 --json
  topoctl simulate 'slimfly(q=5,p=4)' --work all-reduce-ring,all-to-all --bytes 64KiB --ranks 64
  topoctl simulate 'slimfly(q=5,p=4)' --load 0.5 --seeds 8 --precision 0.001
  topoctl simulate 'slimfly(q=5,p=4)' --load 0.5 --packets packets.tsv
  topoctl simulate 'slimfly(q=5,p=4)' --replay packets.tsv --routing next.csv,ugal-l
  topoctl simulate mesh.cfg --packets packets.tsv
  topoctl simulate 'torus(dims=6x6,p=1)' --routing lowest --vcs none --unproven --load 0.9

Every routing, pattern, work and scheme: topoctl glossary NAME

Every point is a run of the study, and so is work: Ctrl-C keeps what is done, `topoctl runs resume gN` resumes
the rest."""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("networks", nargs=-1, metavar="SPEC|FILE|-…|FILE.cfg", shell_complete=completion.networks)
@run_option("Also simulate a network of this run or group of the study, finished or not.")
@click.option(
    "--rank", type=click.IntRange(min=1), metavar="R", help="Which network of the run [default: 1]."
)
@concentration_option("Endpoints per router of networks without a spec.")
@request_options(SimulationRequest)
@cluster_option
@shared_options
def simulate(
    settings: Settings,
    networks: tuple[str, ...],
    name_of_run: Name | None,
    rank: int | None,
    concentration: int | None,
    packets: Path | None,
    curve: Path | None,
    **given: Any,
) -> None:
    """Simulate networks cycle by cycle: latency and accepted load, by offered load.

    Routers have input queues with virtual channels and credits, as in BookSim; endpoints send packets at
    random times. Packets are first proven free of deadlock. A point ends when its mean latency is as precise
    as --precision asks, or when the network is saturated. With --work, simulate work until it is done; the
    table says how long it takes.

    FILE.cfg is a configuration of BookSim: run its experiment, and report it in BookSim's words.
    """
    if any(network.endswith(".cfg") for network in networks):
        _run_configuration(settings, networks, packets, given)
        return
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.networks import is_file
    from topoctl.runs.simulations import simulate as run_new

    if curve is not None:
        from topoctl.report.plots import picture_format

        picture_format(curve)
        require_folder(curve)
    for name in ("work", "replay"):
        if curve is not None and given.get(name) is not None:
            raise click.UsageError(
                f"--curve draws latency by load, and --{name} has no loads: expected either"
            )
    if packets is not None:
        require_folder(packets)
    if given.get("saturation") and given.get("load") is not None:
        raise click.UsageError("--load gives loads, and --saturation looks for one: give either")
    refuse_both(given)
    seeds = given.pop("seeds")
    request = SimulationRequest(**{name: value for name, value in given.items() if value is not None})
    if packets is not None and request.saturation:
        raise click.UsageError(
            "--packets writes those of one load, and --saturation tries many: expected either"
        )
    threads = thread_count(settings.workers)
    others = name_of_run is not None or any(map(is_file, networks))
    chosen = [
        ChosenNetwork(network, None, None, concentration if is_file(network) or not others else None)
        for network in networks
    ]
    if name_of_run is not None or not networks:
        chosen.append(ChosenNetwork(None, name_of_run, rank, concentration))
    topologies = [one.on_its_floor(settings, threads)[0] for one in chosen]
    known = [(topology, one.row(topology)) for one, topology in zip(chosen, topologies, strict=True)]
    asked = {
        "networks": [*networks],
        "run": name_of_run and name_of_run.value,
        "rank": rank,
        "concentration": concentration,
        "packets": packets and str(packets),
        "curve": curve and str(curve),
    }

    def draw(document: Document) -> None:
        if packets is not None and not found.interrupted:
            from topoctl.simulation.packet_files import write_packets

            write_packets(packets, found.runs[0].packets())
            settings.say(f"wrote {packets}")
        if curve is not None:
            from topoctl.report.plots import draw_course, draw_loads, save_figure

            save_figure((draw_loads if request.every is None else draw_course)(document["results"]), curve)
            settings.say(f"wrote {curve}")

    with session_of(settings) as session:
        found = run_new(request, known, session, seeds, settings.say, asked, alone=packets is not None)
        report(found, settings, simulation_table(found.document), draw)


def _run_configuration(
    settings: Settings,
    networks: tuple[str, ...],
    packets: Path | None,
    given: dict[str, Any],
) -> None:
    """Run the experiment of a configuration of BookSim, and print what BookSim would.

    Raises:
        UsageError: several files, or options that the configuration itself decides.
    """
    from topoctl.options import options_of
    from topoctl.report.progress import ProgressDisplay
    from topoctl.runs.configurations import configuration_document
    from topoctl.simulation.booksim import text_of

    if len(networks) > 1:
        raise click.UsageError(f"expected one configuration of BookSim, not {len(networks)} networks")
    known = options_of(SimulationRequest)
    alone = [name for name, value in given.items() if value is not None and name not in ("seed", "replay")]
    others = [known[name].word for name in alone]
    if others:
        raise click.UsageError(
            f"{', '.join(others)}: the configuration says what is simulated; only --seed,"
            " --replay and --packets go with it"
        )
    path, replay = Path(networks[0]), given.get("replay")
    with ProgressDisplay(quiet=settings.quiet) as progress:
        found, results = configuration_document(
            path,
            None if replay is None else Path(replay),
            packets,
            given.get("seed"),
            lambda line: settings.say(f"warning: {line}"),
            lambda cycles: progress.show(f"{path.name}: {cycles:,} cycles"),
        )
    if packets is not None:
        settings.say(f"wrote {packets}")
    if settings.form == "table" and settings.output is None:
        click.echo(text_of(results), nl=False)
    else:
        settings.emit(found, Table(TABLE.columns))


def _rows_by_time(rows: Sequence[Row]) -> list[Row]:
    """Return a row for every part of the time of every point."""
    return [{name: row[name] for name in OF_A_POINT} | part for row in rows for part in row["by_time"]]


def simulation_table(found: Document | None) -> Table:
    """Show first by what rows differ; the network, routing, and traffic or work of all stand below."""
    rows = [] if found is None else found["results"]
    names = told_apart(rows)
    alike = {what for what, words in names.items() if len(words) == 1}
    hidden = alike | ({"file"} if "spec" in alike else set())
    table = WORK_TABLE if "work" in names else TABLE
    if table is TABLE and all(row.get("saturation_load") == row["offered_load"] for row in rows):
        hidden.add("offered_load")
    if not any(row.get("job") for row in rows):
        hidden.add("job")
    shown = BY_TIME if rows and "by_time" in rows[0] else table
    columns = tuple(column for column in shown.columns if column not in hidden)
    return replace(shown, columns=columns, deciding=tuple(what for what in names if what not in alike))
