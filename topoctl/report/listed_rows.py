"""Rows of what is known rather than measured: families, and the runs of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoctl.report.document import Row
from topoctl.study.stored_rows import BEST, ROW, DamagedRun, ListedRun, Run

if TYPE_CHECKING:  # a run needs no family
    from topoctl.families.record import Family

EXAMPLE_WIDTH = 30
ASKED = ("name", "order", "length_limit", "width", "height")
"""What a run was asked for, where its command has such a parameter."""


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


def run_row(run: Run | ListedRun | DamagedRun) -> Row:
    """A run without its document: what it searched for, and the best network, where its results have one."""
    if isinstance(run, DamagedRun):
        return dict.fromkeys(ROW) | {"id": run.id, "status": "damaged", "remark": run.fault}
    asked, best = run.parameters, run.best
    row = {name: getattr(run, name) for name in ROW}
    row["group"] = None if run.group is None else f"g{run.group}"
    row |= {name: asked.get(name) for name in ASKED}
    row["network_radix"] = asked.get("network_radix", asked.get("degree"))
    return row | {name: best.get(name) for name in BEST}
