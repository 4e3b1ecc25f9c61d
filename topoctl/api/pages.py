"""The page of a document, with the floors that its best networks would stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.prices import DEFAULT_PRICES, Prices, prices_named
from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.families import topology_from_spec
from topoctl.files import replacing
from topoctl.floor.floor import DEFAULT_FLOOR, Floor, floor_named
from topoctl.floor.trays import trays
from topoctl.report.page import Page, Standing, html_page
from topoctl.report.page.contents import floored
from topoctl.runs.document import Row
from topoctl.topology import Topology

MOST_LINKS = 1_000_000
"""A network with more is not put on a floor for its page: that would take longer than all the rest."""


def write_page(page: Page, path: Path, networks: Sequence[Topology | None] = ()) -> None:
    """Write a page, with a floor plan of every network of its front.

    Args:
        page: what is shown; its floors are made here.
        path: of the file.
        networks: of the rows, as far as they are at hand; others are built from their specs.

    Raises:
        OSError: the file cannot be written.
    """
    standings, unplaced = {}, {}
    for place in floored(page):
        given = networks[place] if place < len(networks) else None
        try:
            standings[place] = standing(page.rows[place], given, page.document["parameters"])
        except TopoctlError as error:
            unplaced[place] = str(error)
    text = html_page(replace(page, standings=standings, unplaced=unplaced))
    with replacing(path) as file:
        file.write(text.encode())


def standing(row: Row, network: Topology | None, asked: Mapping[str, Any]) -> Standing:
    """Where a network stands, on the floor and at the prices that were asked for, or those of default.

    Raises:
        TopoctlError: it has no room, its links are not at hand, or they are too many.
    """
    if network is None:
        if not row.get("spec"):
            raise InvalidParameters("its links are not at hand: expected the command that finds it")
        network = topology_from_spec(str(row["spec"]))
    if network.graph.size > MOST_LINKS:
        raise InvalidParameters(f"{network.graph.size:,} links: expected at most {MOST_LINKS:,} for a page")
    floor, prices = floor_asked(asked), prices_asked(asked)
    plan = floor_plan(network, floor, planes=row.get("planes", 1))
    links = plan.in_planes(network.graph.links())
    to_endpoints = np.stack([plan.rack_of[plan.router_of], plan.endpoint_racks], axis=1)
    racks = np.concatenate([plan.rack_of[links], to_endpoints])
    lengths = np.concatenate([plan.link_lengths(links), plan.endpoint_lengths()])
    return Standing(
        plan, trays(plan, racks, lengths, prices.media(lengths)), prices.name, network.names.routers
    )


def floor_asked(asked: Mapping[str, Any]) -> Floor:
    """The floor that the parameters of a document name or describe, or the default one."""
    if isinstance(asked.get("floor"), Mapping):
        return Floor.model_validate(asked["floor"])
    width, depth = asked.get("room") or (None, None)
    return floor_named(asked.get("floor") or DEFAULT_FLOOR).changed(width=width, depth=depth)


def prices_asked(asked: Mapping[str, Any]) -> Prices:
    """The prices that the parameters of a document name or describe, or the default ones."""
    if asked.get("price_model"):
        return Prices.model_validate(asked["price_model"])
    prices = prices_named(asked.get("prices") or DEFAULT_PRICES)
    return prices if asked.get("electrical") is None else prices.with_threshold(asked["electrical"])
