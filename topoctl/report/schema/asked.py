"""What was asked for: the ``parameters`` of documents; null, where nothing was."""

from __future__ import annotations

from topoctl.report.schema.kinds import (
    FLAG,
    HOPS,
    METRES,
    NANOSECONDS,
    NUMBER,
    OBJECT,
    SECONDS,
    STEPS,
    TEXT,
    WHOLE,
    Kind,
    each,
    either,
    many,
    or_null,
    record,
)

CORRECTIONS = many({"type": "array", "prefixItems": [WHOLE, WHOLE], "minItems": 2, "maxItems": 2})
"""Each an epoch, and the scale of the moves from there on, in 1/1024."""
CELL = record(
    {"layout": TEXT, **each(WHOLE, "width height degree length_limit"), "published": or_null(WHOLE)}
)

ASKED: dict[str, tuple[Kind, str]] = {
    "arguments": (many(TEXT), "of the command that is swept, as they were typed"),
    "balanced": (FLAG, "only networks that obey their family's rule of balance; of bounds, such K and L"),
    "cabinet": (many(METRES), "width and depth of a cabinet"),
    "cells": (many(CELL), "cells of a paper's table that are searched"),
    "command": (TEXT, "the words of the command line"),
    "concentration": (WHOLE, "endpoints per router"),
    "corrections": (CORRECTIONS, "those of the run that is repeated"),
    "crossover": (NUMBER, "probability that a child has two parents"),
    "degree": (WHOLE, "links per router, at most"),
    "degrees": (many(WHOLE), "least and largest K that are looked at"),
    "diameter": (HOPS, "that K and L must allow"),
    "endpoints": (WHOLE, "number of endpoints"),
    "epochs": (WHOLE, "planned epochs"),
    "evaluations": (WHOLE, "planned number of networks scored"),
    "even_hops": (WHOLE, "number of even hops"),
    "exact": (FLAG, "whether all routers are measured, however long it takes"),
    "families": (many(TEXT), "names of families"),
    "fill_ports": (FLAG, "random links in ports that the largest router radix leaves empty"),
    "fixed_even": (many(WHOLE), "even hops that are held"),
    "fixed_odd": (many({"type": "integer"}), "odd hops that are held"),
    "format": (TEXT, "of the file that is written"),
    "founding": (OBJECT, "how many forms and trials an Equality search begins with"),
    "generations": (WHOLE, "at most so many"),
    "group": (
        either("array", "string"),
        "s, t and r of the only one to try; of runs, the one that is listed",
    ),
    "graph": (TEXT, "the file that is written"),
    "graphs": (TEXT, "the folder that graphs are written to"),
    "height": (WHOLE, "rows of the layout"),
    "id": (either("integer", "string"), "number of the run or group"),
    "ids": (many(either("integer", "string")), "runs and groups"),
    "islands": (WHOLE, "populations that evolve side by side"),
    "layout": (TEXT, "grid or diagrid"),
    "length_limit": (STEPS, "length of links, at most"),
    "lines": (TEXT, "the file that documents are written to"),
    "levels": (FLAG, "whether rows say what a corner reaches in 0, 1, 2 and more hops"),
    "max_latency_ns": (NANOSECONDS, "worst latency that is allowed"),
    "method": (TEXT, "of the kernel, where it was chosen"),
    "moves": (WHOLE, "planned moves of a replica, or of all children of an epoch"),
    "mutation": (NUMBER, "probability that a child is mutated"),
    "name": (TEXT, "of what is shown: a preset, a family, a paper's table"),
    "names": (many(TEXT), "of the comparisons"),
    "network": (TEXT, "spec or file"),
    "network_radix": (WHOLE, "links per router"),
    "networks": (many(TEXT), "specs and files"),
    "objective": (TEXT, "what the search makes small"),
    "order": (WHOLE, "number of routers"),
    "origin": (TEXT, "spec or file of which the first networks are made, and the routers that come or go"),
    "overhead": (METRES, "of cable at each of its two ends"),
    "picture": (TEXT, "the file that is drawn"),
    "planned_moves": (either("array", "integer"), "moves of a replica that were planned for the time"),
    "population": (WHOLE, "individuals of an island"),
    "raced": (WHOLE, "forms of Cayley networks that race"),
    "rank": (either("integer", "string"), "of the run's network, or all"),
    "records": (FLAG, "whether earlier records are begun with"),
    "records_only": (FLAG, "whether these alone are taken, without a search"),
    "replicas": (WHOLE, "networks annealed side by side"),
    "router_radix": (WHOLE, "ports per router"),
    "run": (either("integer", "string"), "number of the run or group"),
    "runs": (many(WHOLE), "numbers of the runs"),
    "seconds": (SECONDS, "planned time"),
    "seed": (WHOLE, "of all draws"),
    "sort": (many(TEXT), "quantities, a minus before one for largest first"),
    "sources": (WHOLE, "random routers to measure from"),
    "stagnation": (WHOLE, "end after so many epochs without improvement"),
    "start": (TEXT, "the file that annealing begins with"),
    "status": (TEXT, "of the runs that are listed"),
    "study": (TEXT, "the study file"),
    "symmetry": (WHOLE, "order of the rotation that networks are held to"),
    "table": (OBJECT, "which axes a sweep is shown by, and what it shows"),
    "target_diameter": (HOPS, "diameter that is looked for"),
    "tolerance": (WHOLE, "orders are tried up to so many routers below and above"),
    "top": (WHOLE, "rows to report, at most"),
    "tried": (WHOLE, "forms of Cayley networks of which founders are scored"),
    "vary": (OBJECT, "the values of every axis of a sweep"),
    "wide": (FLAG, "every structure, not only those that are usual"),
    "width": (WHOLE, "routers per row of the layout"),
    "windows": (OBJECT, "ranges by quantity, such as ..48"),
    "word": (TEXT, "to explain"),
}
"""By name, what it is and what it means; types are those of values that are not null."""


def asked() -> Kind:
    """The ``parameters`` of a document."""
    return {
        "type": "object",
        "description": "what was asked for, by the names of the arguments in Python; null where nothing was",
        "properties": {
            name: or_null(kind) | {"description": meaning} for name, (kind, meaning) in ASKED.items()
        },
    }
