"""What a group of searches is reported as: one ranking, and how much the seed matters."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from topoctl.api.group_found import GroupFindings
from topoctl.api.group_member import Member
from topoctl.papers.presets import preset_of
from topoctl.runs.document import Document, Row, document
from topoctl.runs.rows import network_row, published_fields
from topoctl.search.protocol import Json
from topoctl.study.stored_rows import QUANTITIES

NAMED = ("spec", "distance_sum", "pairs_beyond_wanted", *QUANTITIES)
"""Of the best network of a seed."""


def group_document(findings: GroupFindings) -> Document:
    """The ranking of a group, each network with its seed and run, and what the seeds found, one by one."""
    first = findings.members[0].search
    asked = [dict(one.search.parameters) for one in findings.members]
    common = {name: value for name, value in asked[0].items() if all(one[name] == value for one in asked)}
    common.pop("seed", None)
    rows, seeds = ranked_rows(findings), [seed_row(findings, one, common) for one in findings.members]
    published = preset_of(first.command, first.parameters)
    return document(
        first.command,
        common,
        rows,
        evaluations=sum(one["evaluations"] for one in seeds),
        seconds=sum(one["seconds"] for one in seeds),
        status="interrupted" if findings.interrupted else "finished",
        published=published_fields(published) if published else None,
        seeds=seeds,
        spread=spread(seeds),
        unmeasured=findings.unmeasured,
    )


def ranked_rows(findings: GroupFindings) -> list[Row]:
    """The networks of a ranking as rows, each with the seed that found it, its run, and its rank there."""
    rows = []
    for rank, (one, certified) in enumerate(findings.ranked, 1):
        member = findings.members[one.place]
        run = member.stored_run.id if member.stored_run else None
        found = {"seed": member.search.seed, "run": run, "run_rank": one.rank}
        rows.append(network_row(rank, findings.evaluated(certified)) | found)
    return rows


def seed_row(findings: GroupFindings, member: Member, common: Mapping[str, Json]) -> Row:
    """What a seed found, and the parameters of its own that repeat it."""
    outcome, best = member.outcome, member.measured.get(1)
    numbers = {} if best is None else network_row(1, findings.evaluated(best))
    known = member.search.record(outcome.state) if outcome else {}
    own = {name: value for name, value in member.search.parameters.items() if name not in common}
    return {
        "seed": member.search.seed,
        "run": member.stored_run.id if member.stored_run else None,
        "status": "interrupted" if outcome is None or outcome.interrupted else "finished",
        "evaluations": outcome.state.evaluations if outcome else 0,
        "seconds": outcome.seconds if outcome else 0.0,
        **{name: numbers[name] for name in NAMED if name in numbers},
        "parameters": {**own, **known},
    }


def spread(seeds: Sequence[Row]) -> dict[str, dict[str, float]]:
    """How the best networks of the seeds differ: each quantity's best, median, worst, mean and deviation."""
    found = {name: [row[name] for row in seeds if row.get(name) is not None] for name in QUANTITIES}
    return {
        name: {
            "best": min(values),
            "median": float(statistics.median(values)),
            "worst": max(values),
            "mean": float(statistics.mean(values)),
            "standard_deviation": float(statistics.stdev(values)) if len(values) > 1 else 0.0,
        }
        for name, values in found.items()
        if values
    }
