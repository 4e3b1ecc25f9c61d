"""What the documents of searches are declared to hold, so that they can be printed again from a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from topoctl.search.json_shapes import Shape, number, one_of, optional, record, text, whole


@dataclass(frozen=True)
class Results:
    """The results of a search in its document, as far as tables, notes and pictures need them.

    Attributes:
        ranked: whether the rows are networks from best to worst.
        parameters: what was asked for.
        row: one of the results.
        fields: of the document, besides those that every search's has.
    """

    ranked: bool
    parameters: Shape
    row: Shape
    fields: Mapping[str, Shape]


PUBLISHED = record(
    {
        "preset": text(),
        "spec": optional(text()),
        "diameter": whole(),
        "distance_sum": optional(whole()),
        "aspl": optional(number()),
    }
)
WANTED: dict[str, Shape] = {"wanted_diameter": whole(), "pairs_beyond_wanted": whole()}
PRINTED: dict[str, Shape] = {
    "published_diameter": whole(),
    **{
        f"published_{name}": number()
        for name in ("aspl", "aspl_lower_bound", "length_aspl_bound", "layout_aspl_bound")
    },
}
NETWORK = record(
    {
        **WANTED,
        "rank": whole(1),
        "spec": optional(text()),
        "diameter": whole(),
        "aspl": number(),
        "meets_bound": one_of(False, True),
        "worst_latency_ns": number(),
        "file": text(r"(?s).*"),
    },
    lacking=("worst_latency_ns", "file"),
    together=tuple(WANTED),
    more=True,
)
RANKED = Results(
    ranked=True,
    parameters=record({"max_latency_ns": optional(number())}, lacking=("max_latency_ns",), more=True),
    row=NETWORK,
    fields={"published": optional(PUBLISHED)},
)
"""Networks from best to worst, beside a published one."""
