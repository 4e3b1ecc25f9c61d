"""Rows of what is known rather than measured: families, presets, and the runs of a study."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from topoctl.families.record import Family
from topoctl.report.bound_rows import bound_fields, bounds_row, layout_bounds_row
from topoctl.report.document import SWEEP, Row
from topoctl.study.rows import ROW, DamagedRun, Run

if TYPE_CHECKING:  # pydantic is a fifth of a second
    from topoctl.papers.comparisons import Comparison
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


def preset_bounds_row(preset: Preset) -> Row:
    """A preset with the bounds of its networks: those of its layout, or those of its family."""
    row = preset_row(preset)
    if preset.layout is not None:
        return row | layout_bounds_row(preset.layout, preset.network_radix, preset.search.length_limit)
    if preset.command == "search equality":
        return row | bounds_row(preset.order, preset.network_radix)
    return row | bound_fields(preset.order, preset.network_radix)


def comparison_row(comparison: Comparison) -> Row:
    """A comparison in a line."""
    return {
        "name": comparison.name,
        "title": comparison.title,
        "source": comparison.source,
        "note": comparison.note,
        "networks": len(comparison.networks),
    }


def comparison_rows(comparison: Comparison, threads: int | None) -> list[Row]:
    """One row for every value that the paper prints, with ours."""
    from topoctl.papers.comparisons import our_value

    rows = []
    for network in comparison.networks:
        for quantity, published in network.published.items():
            ours = our_value(network.spec, quantity, threads)
            rows.append(
                {
                    "comparison": comparison.name,
                    "label": network.label,
                    "spec": network.spec,
                    "quantity": quantity,
                    "published": published,
                    "ours": ours,
                    "equal": None if ours is None else ours == published,
                    "remark": network.remarks.get(quantity),
                }
            )
    return rows
