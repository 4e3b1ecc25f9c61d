"""Presets as rows: published networks to search again."""

from __future__ import annotations

from topoctl.papers.presets import Preset
from topoctl.runs.document import Row
from topoctl.runs.rows import published_fields


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
