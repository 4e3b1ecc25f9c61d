"""Rows of what is known rather than measured: families, presets, and the runs of a study."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from topoctl.families.record import Family
from topoctl.report.document import SWEEP, Row
from topoctl.study.rows import ROW, DamagedRun, Run

if TYPE_CHECKING:  # pydantic is a fifth of a second
    from topoctl.papers.comparisons import ComparedValue, Comparison
    from topoctl.papers.presets import Preset

EXAMPLE_WIDTH = 30


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


def run_row(run: Run | DamagedRun) -> Row:
    """A run without its document: what it searched for, and the best network of that; a sweep has none."""
    if isinstance(run, DamagedRun):
        return dict.fromkeys(ROW) | {"id": run.id, "status": "damaged", "remark": run.fault}
    row: dict[str, Any] = asdict(run)
    document = row.pop("document")
    ranked = document and document["results"] and run.command != SWEEP
    best = document["results"][0] if ranked else {}
    asked = run.parameters
    row |= {name: asked.get(name) for name in ("name", "order", "length_limit")}
    row["network_radix"] = asked.get("network_radix", asked.get("degree"))
    return row | {name: best.get(name) for name in ("spec", "diameter", "aspl")}


def published_fields(preset: Preset) -> Row:
    """A preset's published network: the mark to beat."""
    return {
        "preset": preset.name,
        "spec": preset.published and preset.published.spec,
        "diameter": preset.published and preset.published.diameter,
        "distance_sum": preset.published and preset.published.distance_sum,
        "aspl": preset.published_aspl,
    }


def preset_row(preset: Preset) -> Row:
    """A preset."""
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


def comparison_row(comparison: Comparison) -> Row:
    """A comparison in a line."""
    return {
        "name": comparison.name,
        "title": comparison.title,
        "source": comparison.source,
        "note": comparison.note,
        "networks": len(comparison.networks),
    }


def compared_row(value: ComparedValue) -> Row:
    """A value that a paper prints, with ours."""
    return {
        "comparison": value.comparison,
        "label": value.label,
        "spec": value.spec,
        "quantity": value.quantity,
        "published": value.published,
        "ours": value.ours,
        "equal": None if value.ours is None else value.ours == value.published,
        "remark": value.remark,
    }
