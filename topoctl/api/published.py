"""Published networks."""

from __future__ import annotations

from topoctl.papers.presets import all_presets
from topoctl.runs.document import Row
from topoctl.runs.listed_rows import preset_row


def presets() -> list[Row]:
    """The published networks worth searching again, a dictionary each: `topoctl presets list`.

    Example:
        >>> [(row["order"], row["network_radix"]) for row in presets() if row["name"] == "equality/e361"]
        [(2048, 28)]
    """
    return [preset_row(preset) for preset in all_presets()]
