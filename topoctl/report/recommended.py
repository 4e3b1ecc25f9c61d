"""Which network of a design is recommended, and why: for the lines below its table, and for its page."""

from __future__ import annotations

from topoctl.analysis.pareto import knee
from topoctl.runs.document import Document
from topoctl.search.design.objectives import vector

WHY = (
    "from it to any other network there, what becomes better wins no more, in percent of the best values, "
    "than the rest loses"
)
"""What a knee is."""


def recommended(document: Document) -> int | None:
    """Return the place of the knee of a design's front among its rows; None for other documents.

    Args:
        document: of any command.
    """
    asked, rows = document["parameters"].get("front"), document["results"]
    front = [place for place, row in enumerate(rows) if row.get("pareto")]
    if not asked or not front:
        return None
    return front[knee([vector(rows[place], asked) for place in front])]
