"""The ``parameters`` of documents: the options of requests, and what else was asked for."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from topoctl.fields.kinds import (
    FLAG,
    METRES,
    NUMBER,
    OBJECT,
    TEXT,
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
from topoctl.options.bounds import BoundsRequest, HostBoundsRequest, LayoutBoundsRequest
from topoctl.options.cable import CableRequest, CheckRequest
from topoctl.options.enumerate import EnumerationRequest
from topoctl.options.evaluate import EvaluationRequest
from topoctl.options.route import RouteRequest
from topoctl.search.annealing.request import AnnealingRequest, DescentRequest
from topoctl.search.design.request import DesignRequest
from topoctl.search.growth.request import GrowRequest
from topoctl.search.hosts.request import HostsRequest
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.simulation.request import SimulationRequest

REQUESTS = (
    *(EqualityRequest, CayleyRequest, AnnealingRequest, EvaluationRequest, RouteRequest, CableRequest),
    CheckRequest,
    SimulationRequest,
    GrowRequest,
    HostsRequest,
    HostBoundsRequest,
    *(DescentRequest, BoundsRequest, LayoutBoundsRequest, DesignRequest, EnumerationRequest),
)
"""All that declare options."""

CORRECTIONS = many({"type": "array", "prefixItems": [WHOLE, WHOLE], "minItems": 2, "maxItems": 2})
"""Each an epoch, and the scale of the moves from there on, in 1/1024."""
CELL = record(
    {"layout": TEXT, **each(WHOLE, "width height degree length_limit"), "published": or_null(WHOLE)}
)

OTHERS: dict[str, tuple[Kind, str]] = {
    "arguments": (many(TEXT), "of the command that is swept, as they were typed"),
    "cells": (many(CELL), "cells of a paper's table that are searched"),
    "command": (TEXT, "the words of the command line"),
    "contenders": (many(many(WHOLE)), "numbers of routers that race, each with the order of a rotation"),
    "corrections": (CORRECTIONS, "those of the run that is repeated"),
    "degrees": (many(WHOLE), "least and largest K that are looked at"),
    "digest": (TEXT, "of the network, traffic or work of a simulation that no name tells"),
    "epochs": (WHOLE, "planned epochs"),
    "families": (many(TEXT), "names of families"),
    "files": (many(TEXT), "files that the traffic or work of a simulation was read from"),
    "floor": (OBJECT, "racks, rows and ways of cables, lengths in metres"),
    "floor_asked": (FLAG, "whether a floor or a room was asked for, so that grids are searched too"),
    "found": (
        either("string", "array"),
        "the file that tells what is wired; a list of several that tell it together",
    ),
    "anchors": (many(TEXT), "what some of the systems that were found are in the plan, or files that say so"),
    "format": (TEXT, "of the file that is written"),
    "founding": (OBJECT, "how many forms and trials an Equality search begins with"),
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
    "lines": (TEXT, "the file that documents are written to"),
    "move_cost": (NUMBER, "how many times as long as estimated a move takes, where that was measured"),
    "name": (TEXT, "of what is shown: a preset, a family, a paper's table"),
    "names": (many(TEXT), "of the comparisons"),
    "limit": (NUMBER, "load at which the worst link of a point of a simulation is full"),
    "network": (either("object", "string"), "spec or file; of a point, what its row says of the network"),
    "networks": (many(TEXT), "specs and files"),
    "picture": (TEXT, "the file that is drawn"),
    "planned_moves": (either("array", "integer"), "moves of a replica that were planned for the time"),
    "planes": (either("array", "integer"), "copies of the network: how many, or of each row"),
    "price_model": (OBJECT, "the prices of routers and cables, and power"),
    "raced": (WHOLE, "forms of Cayley networks that race"),
    "rank": (either("integer", "string"), "of the run's network, or all"),
    "records_only": (FLAG, "whether these alone are taken, without a search"),
    "run": (either("integer", "string"), "number of the run or group"),
    "runs": (many(WHOLE), "numbers of the runs"),
    "late": (
        many(many(WHOLE)),
        "of every batch of networks, the places of those that there was no time to measure, and of the "
        "families, in the order of their batches, those that there was no time to list",
    ),
    "standing_network": (
        OBJECT,
        "spec, file or run of the network that grows, the endpoints of its routers, and its floor",
    ),
    "standing": (WHOLE, "routers of the network that grows"),
    "searched": (many(WHOLE), "searches of each round that there was time for"),
    "status": (TEXT, "of the runs that are listed"),
    "study": (TEXT, "the study file"),
    "table": (OBJECT, "which axes a sweep is shown by, and what it shows"),
    "tried": (WHOLE, "forms of Cayley networks whose founders are scored"),
    "vary": (OBJECT, "the values of every axis of a sweep"),
    "windows": (OBJECT, "ranges by quantity, such as ..48"),
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
    if option.listed:
        return many(TEXT)
    if option.choices or option.file is not None:
        return TEXT
    return _kind(option.typed if option.kind is Any else option.kind, option)


def _kind(kind: Any, option: Option) -> Kind:
    inner = [one for one in get_args(kind) if one is not NoneType]
    if kind is str:
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


def parameters_kind() -> Kind:
    """The ``parameters`` of a document."""
    return {
        "type": "object",
        "description": "what was asked for, by the names of the arguments in Python; null where nothing was",
        "properties": {
            name: or_null(kind) | {"description": meaning} for name, (kind, meaning) in ASKED.items()
        },
    }
