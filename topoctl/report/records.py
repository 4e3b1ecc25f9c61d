"""Rows of what is known rather than measured: families, and the runs of a study."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from topoctl.families.record import Family
from topoctl.report.document import Row
from topoctl.study.store import Run

EXAMPLE_WIDTH = 30


def family_row(family: Family) -> Row:
    """A family as it declares itself."""
    return {
        "name": family.name,
        "title": family.title,
        "source": family.source,
        "definition": family.definition,
        "parameters": [
            {"name": parameter.name, "meaning": parameter.meaning, "default": parameter.default}
            for parameter in family.parameters
        ],
        "example": max(
            (spec for spec in family.examples if len(spec) <= EXAMPLE_WIDTH), key=len, default=None
        ),
        "examples": list(family.examples),
    }


def run_row(run: Run) -> Row:
    """A run without its document, with the best network of that."""
    row: dict[str, Any] = asdict(run)
    document = row.pop("document")
    best = document["results"][0] if document and document["results"] else {}
    return row | {name: best.get(name) for name in ("spec", "diameter", "aspl")}
