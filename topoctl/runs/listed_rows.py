"""Rows of what is known rather than measured: families, presets, and the runs of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from topoctl.runs.document import Row
from topoctl.runs.rows import published_fields
from topoctl.simulation.request import name_of_point
from topoctl.study.rows import BEST, ROW, DamagedRun, ListedRun, Run

if TYPE_CHECKING:  # a run needs no family
    from topoctl.families.record import Family
    from topoctl.papers.presets import Preset
    from topoctl.study.groups import Group

EXAMPLE_WIDTH = 30
ASKED = ("name", "order", "length_limit", "length_limit_m", "width", "height")
"""What a run was asked for, where its command has such a parameter."""

OF_HOSTS = ("host_diameter", "host_aspl")
"""What only the best networks of searches for hosts have."""

GROUP_STATUSES = ("running", "killed", "interrupted", "finished")
"""That of a group is the first that it or one of its runs has."""


def family_row(family: Family) -> Row:
    """A family as it declares itself."""
    return {
        "name": family.name,
        "title": family.title,
        "source": family.source,
        "definition": family.definition,
        "closed_forms": list(family.closed_forms),
        "parameters": [
            {"name": parameter.name, "meaning": parameter.meaning, "default": parameter.default}
            for parameter in family.parameters
        ],
        "example": max(
            (spec for spec in family.examples if len(spec) <= EXAMPLE_WIDTH), key=len, default=None
        ),
        "examples": list(family.examples),
    }


def preset_row(preset: Preset) -> Row:
    """Return a preset and its published network."""
    published = {f"published_{name}": value for name, value in published_fields(preset).items()}
    del published["published_preset"]
    return {
        "name": preset.name,
        "title": preset.title,
        "source": preset.source,
        "command": preset.command,
        **preset.search.model_dump(),
        "order": preset.order,
        "network_radix": preset.network_radix,
        **published,
    }


def run_row(run: Run | ListedRun | DamagedRun) -> Row:
    """A run without its document: what it searched for, and the best network, where its results have one."""
    if isinstance(run, DamagedRun):
        known = {"id": run.id, "run": run.id, "status": "damaged", "remark": run.fault}
        return dict.fromkeys((*ROW, *ASKED)) | known
    asked, best = asked_of(run.parameters), run.best
    row = {name: getattr(run, name) for name in ROW} | {"run": run.id}
    row["group"] = None if run.group is None else f"g{run.group}"
    row |= {name: asked.get(name) for name in ASKED}
    row["network_radix"] = asked.get("network_radix", asked.get("degree"))
    found = {name: best.get(name) for name in BEST}
    return row | {name: found[name] for name in BEST if found[name] is not None or name not in OF_HOSTS}


def empty_group_row(group: Group, *, killed: bool) -> Row:
    """A group without runs, such as a design before its first search; `killed` if its process is gone."""
    known = {name: getattr(group, name) for name in ("command", "status", "started", "note")}
    row = dict.fromkeys((*ROW, *ASKED, *BEST)) | {"id": f"g{group.id}", "group": f"g{group.id}", **known}
    return row | ({"status": "killed"} if killed else {})


def asked_of(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a run was asked for; of a cell of a paper's table, what the cell is; of a point, its network."""
    cell = parameters.get("cell")
    if isinstance(cell, Mapping):
        return {**parameters, **cell, "order": cell["width"] * cell["height"]}
    network = parameters.get("network")
    if isinstance(network, Mapping):
        return {**parameters, **network, "name": name_of_point(parameters)}
    return parameters


def group_row(group: Group, runs: Sequence[Row], found: Mapping[str, Any], *, killed: bool) -> Row:
    """A group: what was asked, what its seeds found, and the best networks of all.

    Args:
        group: its row.
        runs: those of its runs.
        found: its document, or what there would be in it so far; nothing where that is not known.
        killed: whether its process is gone.
    """
    statuses = ["killed" if killed else group.status, *(run["status"] for run in runs)]
    status = next(status for status in GROUP_STATUSES if status in statuses)
    return {
        "id": f"g{group.id}",
        **{name: getattr(group, name) for name in ("command", "version", "started", "note")},
        "status": status,
        "parameters": {**found.get("parameters", {}), **group.parameters},
        "runs": [run["id"] for run in runs],
        "seed": None,
        **{name: found.get(name) for name in ("evaluations", "seconds", "spread", "seeds")},
        "networks": found.get("results", []),
    }
