"""Presets as rows: published networks, and the bounds of their searches."""

from __future__ import annotations

from topoctl.papers.presets import Preset
from topoctl.report.bound_rows import bound_fields, bounds_row, layout_bounds_row
from topoctl.report.document import Row


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
