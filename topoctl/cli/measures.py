"""The option that names measures."""

from __future__ import annotations

from topoctl.measures import MEASURES, Measure, measures_named

IN_CABINETS = ("latency", "power")
"""What sizes of cabinets ask for by themselves."""


def measures_given(measures: str | None, *, in_cabinets: bool) -> tuple[Measure, ...]:
    """What is measured, by names separated by commas and by whether cabinets have sizes.

    Raises:
        InvalidParameters: a name is unknown.
    """
    named = measures_named(measures) if measures is not None else ()
    implied = [MEASURES[name] for name in IN_CABINETS] if in_cabinets else []
    return tuple(measure for measure in MEASURES.values() if measure in (*named, *implied))
