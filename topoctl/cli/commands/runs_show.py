"""``topoctl runs show``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.lazy import ExamplesCommand
from topoctl.cli.networks import NameType
from topoctl.cli.options import Settings, shared_options_but
from topoctl.runs.run_names import Name

if TYPE_CHECKING:
    from topoctl.runs.document import Row
    from topoctl.study.store import Study

EXAMPLES = """Examples:
  topoctl runs show 1 --json
  topoctl runs show g1            a group: what each of its seeds found"""


@click.command(cls=ExamplesCommand, epilog=EXAMPLES)
@click.argument("name", type=NameType(), metavar="ID|gN", shell_complete=completion.runs)
@shared_options_but("quiet", "no_study")
def runs_show(settings: Settings, name: Name) -> None:
    """Show a run in full: parameters, machine, and its networks, measured again if the run was killed.

    The study keeps the links of the ranked networks: topoctl export --run ID --rank R. Of a group, show what
    each seed found, and the best networks of all.
    """
    from topoctl.cli.runs import existing, study_parameters
    from topoctl.kernels.backend import thread_count
    from topoctl.runs.document import document

    threads = thread_count(settings.workers)
    with existing(settings) as study:
        row = (group_in_full if name.is_group else run_in_full)(study, name.number, threads)
    counts = {field: row[field] for field in ("seed", "evaluations", "seconds")}
    found = document("runs show", {"id": name.value, **study_parameters(settings)}, [row], **counts)
    settings.emit(found)


def run_in_full(study: Study, number: int, threads: int) -> Row:
    """A run and its networks."""
    from topoctl.runs.listed_rows import run_row
    from topoctl.runs.rows import network_rows
    from topoctl.search.certify import certify
    from topoctl.search.evaluated_networks import evaluated
    from topoctl.study.networks import networks_of

    run = study.run(number)
    networks = run.document["results"] if run.document else []
    candidates = networks_of(study, run)
    if not run.reported:
        with study.reading(number):
            leaders = [certify(candidate, threads) for candidate in candidates]
        wanted = run.parameters.get("target_diameter")
        networks = network_rows(evaluated(leader, threads, wanted) for leader in leaders)
    (row,) = study.with_killed([run_row(run)])
    return row | {"links_kept": [*range(1, len(candidates) + 1)], "networks": networks}


def group_in_full(study: Study, number: int, threads: int) -> Row:
    """A group, its runs and its networks."""
    from topoctl.runs.listed_rows import group_row, run_row
    from topoctl.runs.requests import SIMULATE
    from topoctl.runs.seeds import rank_seeds, seeds_document, stored_seeds
    from topoctl.runs.session import Listener
    from topoctl.runs.simulations import stored_points
    from topoctl.search.registry import SEARCHES
    from topoctl.study.groups import group_of, members_of

    group = group_of(study, number)
    found: Mapping[str, Any] = {}
    if group.document is not None:
        found = group.document
    elif group.command == SIMULATE:
        simulation = stored_points(study, group)
        simulation.report()
        found = simulation.document or {}
    elif group.command in SEARCHES:
        seeds = stored_seeds(study, number)
        with study.reading(f"group g{number}"):
            found = seeds_document(rank_seeds(seeds, threads, Listener()), threads)
    runs = [study.run(run) for run in members_of(study, number)]
    killed = ("group", number) in study.killed()
    return group_row(group, study.with_killed(map(run_row, runs)), found, killed=killed)
