"""The documents of the commands: which rows each has, and which fields beside them."""

from __future__ import annotations

from dataclasses import dataclass, field

from topoctl.fields.kinds import (
    FLAG,
    HOPS,
    MEAN_HOPS,
    NUMBER,
    OBJECT,
    TEXT,
    WHOLE,
    Kind,
    each,
    many,
    one_of,
    or_null,
    record,
    says,
)
from topoctl.report.schema.parameters import CORRECTIONS


@dataclass(frozen=True)
class DocumentKind:
    """What a command's document holds.

    Attributes:
        rows: the kinds of its rows, names in ``ROWS``.
        required: fields that all have beside those of every document.
        optional: fields that only some documents have.
    """

    rows: tuple[str, ...]
    required: dict[str, Kind] = field(default_factory=dict)
    optional: dict[str, Kind] = field(default_factory=dict)


PUBLISHED = record(
    {
        "preset": TEXT,
        "spec": or_null(TEXT),
        "diameter": or_null(HOPS),
        "distance_sum": or_null(HOPS),
        "aspl": or_null(MEAN_HOPS),
    }
)
STATUS = {"status": says(one_of("finished", "interrupted"), "whether Ctrl-C ended the work")}
SEARCH = {
    **STATUS,
    "published": says(or_null(PUBLISHED), "the published network that the results compare with"),
    "unmeasured": says(WHOLE, "networks found for which no time to measure them was left"),
}
NOTES = {"notes": says(many(TEXT), "lines that are printed below the rows")}
FAILURES = {
    "failures": says(
        record({"links": many(many(WHOLE)), "routers": many(WHOLE)}),
        "what has failed: pairs of routers, and routers, by their numbers",
    )
}
SWEEP = {
    **STATUS,
    "group": says(or_null(TEXT), "of its runs, such as g1; null where nothing is searched or stored"),
    **NOTES,
}
BEYOND_EACH = {"beyond_each": says(WHOLE, "networks left out because --each of their family are better")}
ENUMERATION = {
    **STATUS,
    "fitting": says(WHOLE, "networks within the ranges"),
    **BEYOND_EACH,
    "undecided": says(WHOLE, "networks that must be measured to tell whether they are within the ranges"),
    "printed": says(WHOLE, "rows"),
    "skipped": says(many(record({"family": TEXT, "reason": TEXT})), "families left out, and why"),
    "refused": says(many(record({"structure": TEXT, "reason": TEXT})), "structures left out, and why"),
    **NOTES,
}
DESIGN = {
    **STATUS,
    "group": SWEEP["group"],
    "considered": says(WHOLE, "networks and splits of ports that were looked at, most by their bounds alone"),
    "measured": says(WHOLE, "networks measured by all that they are compared by"),
    "undecided": says(WHOLE, "networks not measured, although their bounds would allow it"),
    "skipped": ENUMERATION["skipped"],
    "refused": ENUMERATION["refused"],
    **NOTES,
}
GROUP = {
    "seeds": says(many(OBJECT), "what each seed of a group found"),
    "spread": says(OBJECT, "how the best networks of the seeds differ"),
}
CORRECTED = {
    "corrections": says(CORRECTIONS, "of the planned moves, so that a time holds; part of the result")
}
WORK = {
    "work": says(
        record(
            {
                "file": or_null(TEXT),
                **each(WHOLE, "batches unplugged plugged least_links"),
                "too_short": says(WHOLE, "cables that are moved and do not reach where they are plugged in"),
                "worst_batch": or_null(WHOLE),
                **each(or_null(NUMBER), "throughput_before throughput_worst throughput_after"),
            }
        ),
        "the plan of work by which the network becomes the best that was found",
    )
}
WIRED = record(
    {
        "links": WHOLE,
        "planes": says(WHOLE, "equal parts without a link between them; the numbers are of the worst one"),
        "diameter": or_null(HOPS),
        "aspl": or_null(MEAN_HOPS),
        "throughput": or_null(NUMBER),
        "bisection": says(
            or_null(record(each(WHOLE, "lower_bound upper_bound"))),
            "links between two halves of the routers: proven, and of the best halves found; null where not "
            "measured",
        ),
        "virtual_channels": says(
            or_null(WHOLE), "those of ecmp, so that packets cannot deadlock; null where not measured"
        ),
    }
)
CHECKED = {
    "summary": says(
        record(
            {
                "equal": FLAG,
                **each(WHOLE, "missing extra moved_ends"),
                "matched_by": one_of("names", "anchors", "structure"),
                "planned": WIRED,
                "found": WIRED,
            }
        ),
        "whether all is as planned, cables that are missing or too many, the fewest ends of cables to move, "
        "and what the routers make as they are planned and as they are linked",
    )
}
MOVES = {"planned_moves": says(many(WHOLE), "of a replica, by cell")}

DOCUMENTS = {
    "search equality": DocumentKind(("network",), SEARCH, {**CORRECTED, **GROUP}),
    "search cayley": DocumentKind(("network",), SEARCH, {**CORRECTED, **GROUP}),
    "optimize grid": DocumentKind(("network",), SEARCH, {**CORRECTED, **GROUP}),
    "optimize graph": DocumentKind(("network",), SEARCH, {**CORRECTED, **GROUP}),
    "optimize hosts": DocumentKind(("network",), SEARCH, {**CORRECTED, **GROUP}),
    "grow": DocumentKind(("network",), SEARCH, {**CORRECTED, **GROUP, **WORK}),
    "optimize sweep list": DocumentKind(("sweep",)),
    "optimize sweep": DocumentKind(("found_cell", "bounded_cell"), NOTES, {**SEARCH, **CORRECTED, **MOVES}),
    "sweep": DocumentKind(("swept_cell",), SWEEP),
    "design": DocumentKind(("designed_network",), DESIGN),
    "enumerate": DocumentKind(("listed_network",), ENUMERATION),
    "evaluate": DocumentKind(("network",), BEYOND_EACH),
    "bounds": DocumentKind(("bounds", "preset_bounds")),
    "bounds grid": DocumentKind(("layout_bounds",)),
    "bounds hosts": DocumentKind(("host_bounds",)),
    "export": DocumentKind(("network", "unmeasured_network")),
    "cable": DocumentKind(("cabled_network",)),
    "check": DocumentKind(("wiring_difference",), {**CHECKED, **NOTES}),
    "route": DocumentKind(("routed_network", "survived_failures"), NOTES, FAILURES),
    "simulate": DocumentKind(
        ("simulated_network", "saturated_network", "completed_work", "configured_network"),
        {**STATUS, **NOTES},
        {"group": SWEEP["group"], "seeds": says(many(OBJECT), "the rows of every seed")},
    ),
    "plot": DocumentKind(("network", "unmeasured_network", "run")),
    "families": DocumentKind(("family",)),
    "families NAME": DocumentKind(("family",)),
    "glossary": DocumentKind(("term",)),
    "presets compare": DocumentKind(("comparison",)),
    "presets compare NAME": DocumentKind(("compared_value",), NOTES),
    "presets list": DocumentKind(("preset",)),
    "presets show": DocumentKind(("preset",)),
    "runs list": DocumentKind(("run", "damaged_run", "empty_group")),
    "runs compare": DocumentKind(
        ("compared_run",),
        {
            "differing": says(OBJECT, "the parameters in which the runs differ, by run"),
            "moments": says(many(OBJECT), "the best of every run at the same times"),
        },
    ),
    "runs delete": DocumentKind(("run", "damaged_run")),
    "runs export": DocumentKind(("exported_run",)),
    "runs note": DocumentKind(("run", "noted_group")),
    "runs show": DocumentKind(("shown_run", "shown_group")),
}
"""By what they say themselves in ``command``; a run that is resumed or repeated prints its search's."""
