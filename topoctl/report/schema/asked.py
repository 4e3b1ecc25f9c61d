"""The ``parameters`` of documents: the options of requests, and what else was asked for."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from topoctl.fields.kinds import (
    DOLLARS,
    FLAG,
    HOPS,
    METRES,
    NANOSECONDS,
    NUMBER,
    OBJECT,
    SECONDS,
    TEXT,
    WATTS,
    WHOLE,
    Kind,
    each,
    either,
    many,
    of_unit,
    or_null,
    record,
)
from topoctl.options import Option, options_of
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.cayley.request import CayleyRequest
from topoctl.search.equality.request import EqualityRequest

REQUESTS = (EqualityRequest, CayleyRequest, AnnealingRequest)
"""All that declare options."""

CORRECTIONS = many({"type": "array", "prefixItems": [WHOLE, WHOLE], "minItems": 2, "maxItems": 2})
"""Each an epoch, and the scale of the moves from there on, in 1/1024."""
CELL = record(
    {"layout": TEXT, **each(WHOLE, "width height degree length_limit"), "published": or_null(WHOLE)}
)

OTHERS: dict[str, tuple[Kind, str]] = {
    "arguments": (many(TEXT), "of the command that is swept, as they were typed"),
    "balanced": (FLAG, "only networks that obey their family's rule of balance; of bounds, such K and L"),
    "best": (FLAG, "whether what no routing passes is found"),
    "bisection": (NUMBER, "proven bisection over half of the endpoints, at least"),
    "cables": (TEXT, "the cabling list that is written"),
    "certificate": (TEXT, "the file of the proof that packets cannot deadlock"),
    "cells": (many(CELL), "cells of a paper's table that are searched"),
    "channels": (TEXT, "the file of the virtual channel tables"),
    "command": (TEXT, "the words of the command line"),
    "convention": (TEXT, "of a paper, by which networks are counted and priced"),
    "corrections": (CORRECTIONS, "those of the run that is repeated"),
    "cost": (DOLLARS, "per endpoint, at most"),
    "degrees": (many(WHOLE), "least and largest K that are looked at"),
    "diameter": (HOPS, "that K and L must allow"),
    "electrical": (METRES, "cables up to this length are electrical"),
    "endpoint_cables": (FLAG, "whether the cables to endpoints are listed too"),
    "endpoints": (WHOLE, "number of endpoints"),
    "epochs": (WHOLE, "planned epochs"),
    "exact": (FLAG, "whether all routers are measured, however long it takes"),
    "families": (many(TEXT), "names of families"),
    "fill_ports": (FLAG, "random links in ports that the largest router radix leaves empty"),
    "floor": (OBJECT, "racks, rows and ways of cables, lengths in metres"),
    "floor_asked": (FLAG, "whether a floor or a room was asked for, so that grids are searched too"),
    "format": (TEXT, "of the file that is written"),
    "founding": (OBJECT, "how many forms and trials an Equality search begins with"),
    "front": (many(TEXT), "what networks are compared by"),
    "group": (
        either("array", "string"),
        "s, t and r of the only one to try; of runs, the one that is listed",
    ),
    "groups": (many(many(WHOLE)), "s, t and r of the symmetries that race, null without a race"),
    "graph": (TEXT, "the file that is written"),
    "graphs": (TEXT, "the folder that graphs are written to"),
    "id": (either("integer", "string"), "number of the run or group"),
    "ids": (many(either("integer", "string")), "runs and groups"),
    "length_limit_m": (METRES, "length of cables between cabinets, at most"),
    "latency": (NANOSECONDS, "average latency, at most"),
    "lines": (TEXT, "the file that documents are written to"),
    "levels": (FLAG, "whether rows say what a corner reaches in 0, 1, 2 and more hops"),
    "loads": (TEXT, "the file of the loads of all links"),
    "measures": (many(TEXT), "what is measured beside the distances"),
    "name": (TEXT, "of what is shown: a preset, a family, a paper's table"),
    "names": (many(TEXT), "of the comparisons"),
    "network": (TEXT, "spec or file"),
    "networks": (many(TEXT), "specs and files"),
    "partition_seconds": (SECONDS, "after which no further halving is begun"),
    "partitioner": (TEXT, "what finds halvings"),
    "partitions": (WHOLE, "halvings that a bisection is found among"),
    "picture": (TEXT, "the file that is drawn"),
    "planned_moves": (either("array", "integer"), "moves of a replica that were planned for the time"),
    "power": (WATTS, "per endpoint, at most"),
    "price_model": (OBJECT, "the prices of routers and cables, and power"),
    "raced": (WHOLE, "forms of Cayley networks that race"),
    "prices": (TEXT, "preset, or name of a file, of prices"),
    "rank": (either("integer", "string"), "of the run's network, or all"),
    "records": (FLAG, "whether earlier records are begun with"),
    "records_only": (FLAG, "whether these alone are taken, without a search"),
    "routing": (many(TEXT), "names of routings"),
    "run": (either("integer", "string"), "number of the run or group"),
    "runs": (many(WHOLE), "numbers of the runs"),
    "sort": (many(TEXT), "quantities, a minus before one for largest first"),
    "slots": (WHOLE, "searches side by side that were planned for"),
    "sources": (WHOLE, "random routers to measure from"),
    "stock": (many(METRES), "in which cables are sold"),
    "status": (TEXT, "of the runs that are listed"),
    "study": (TEXT, "the study file"),
    "table": (OBJECT, "which axes a sweep is shown by, and what it shows"),
    "tables": (TEXT, "the file of next hops"),
    "throughput": (NUMBER, "uniform throughput, at least"),
    "traffic": (many(TEXT), "patterns of traffic"),
    "trials": (WHOLE, "of random failures"),
    "tried": (WHOLE, "forms of Cayley networks of which founders are scored"),
    "vary": (OBJECT, "the values of every axis of a sweep"),
    "virtual_channels": (either("integer", "string"), "as many at most, a scheme, auto or none"),
    "wide": (FLAG, "every structure, not only those that are usual"),
    "windows": (OBJECT, "ranges by quantity, such as ..48"),
    "worst_case": (FLAG, "whether the worst permutation is found"),
    "word": (TEXT, "to explain"),
}
"""What is no option of a request: by name, what it is and what it means; types are of values, not of null."""


def _declared() -> dict[str, tuple[Kind, str]]:
    """The options of all requests; of several of one name, the first that has a meaning of its own counts."""
    found: dict[str, list[Option]] = {}
    for request in REQUESTS:
        for name, option in options_of(request).items():
            found.setdefault(name, []).append(option)
    return {
        name: (
            kind_of(options[0]),
            next((one.meaning for one in options if one.meaning), _meaning(options[0])),
        )
        for name, options in found.items()
    }


def _meaning(option: Option) -> str:
    """The help of an option as a part of a sentence."""
    said = option.help.removesuffix(".")
    return said if said[1:2].isupper() else said[0].lower() + said[1:]


def kind_of(option: Option) -> Kind:
    """What values of an option are in JSON.

    Example:
        >>> from dataclasses import dataclass
        >>> kind_of(Option("--seconds", "Planned time.", unit="s", kind=float | None))
        {'type': 'number', 'unit': 's'}
    """
    return _kind(option.kind, option)


def _kind(kind: Any, option: Option) -> Kind:
    inner = [one for one in get_args(kind) if one is not NoneType]
    if option.choices or kind is str:
        return TEXT
    if get_origin(kind) in (Union, UnionType):
        kinds = [_kind(one, option) for one in inner]
        return kinds[0] if len(kinds) == 1 else either(*sorted(one["type"] for one in kinds))
    if get_origin(kind) is tuple:
        return many(_kind(inner[0], option))
    if kind is bool:
        return FLAG
    negative = option.least is not None and option.least < 0
    number = NUMBER if kind is float else {"type": "integer"} if negative else WHOLE
    return number if option.unit is None else of_unit(number, option.unit)


ASKED = _declared() | OTHERS
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
