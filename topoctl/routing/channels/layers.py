"""Layers: routes of single paths, each in one virtual channel from its first hop to its last."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.routing.channels.answer import Channels
from topoctl.routing.channels.certificate import Certificate
from topoctl.routing.channels.layer import Dependency, Layer
from topoctl.routing.channels.senders import everyone
from topoctl.routing.channels.walks import Walk, walks
from topoctl.routing.memory import require_memory
from topoctl.routing.routes import Routes

Steps = tuple[list[int], list[int]]
MOST = 2**31
PAIR_BYTES = 80
"""Of a step of the path of a pair."""
SINGLE = "layers are for single paths, expected another scheme"


def destination_layers(routes: Routes) -> Channels:
    """All paths to a destination in the first layer that they fit together, in the order of the routers.

    So routers can tell the layer from the destination. A network of 700 routers takes some seconds; the work
    grows with all dependencies times what it takes to keep a layer in order.

    Raises:
        InvalidParameters: paths are not single.
    """
    arcs = len(routes.topology.graph.neighbors)
    layers = [Layer(arcs)]
    table = np.zeros(routes.topology.graph.order, dtype=np.int32)
    for walk in single_walks(routes):
        before, after = (walk.arcs[side].tolist() for side in walk.followers())
        table[walk.destination] = first_fit(layers, list(zip(before, after, strict=True)), arcs)
    return proven("destination-layers", table, layers)


def pair_layers(routes: Routes, most: int = MOST) -> Channels:
    """Every path in the first layer that it fits, by sources and then destinations, in their order.

    LASH: Skeie, Lysne and Theiss, IPDPS 2002. A network of 250 routers takes half a minute, since the
    work grows with all pairs of routers.

    Args:
        routes: of a connected network.
        most: layers.

    Raises:
        InvalidParameters: paths are not single, or need more layers.
    """
    order, arcs = routes.topology.graph.order, len(routes.topology.graph.neighbors)
    require_memory(PAIR_BYTES * routes.phases * order**2, "the paths of all pairs")
    layers = [Layer(arcs)]
    table = np.zeros((order, order), dtype=np.int32)
    ways = [(walk.destination, walk.sources, onward(walk, routes)) for walk in single_walks(routes)]
    for source in range(order):
        for destination, sources, steps in ways:
            if sources[source]:
                path = list(pairwise(arcs_from(source, steps)))
                table[source, destination] = first_fit(layers, path, arcs, most)
    return proven("pair-layers", table, layers)


def single_walks(routes: Routes) -> Iterator[Walk]:
    """The walks to all routers, whose packets have one hop to make at every place."""
    if routes.through is not None:
        raise InvalidParameters(f"packets go over intermediate routers: {SINGLE}")
    for walk in walks(routes, everyone(routes.topology)):
        if len(np.unique(walk.starts)) < len(walk.starts):
            raise InvalidParameters(f"packets have several ways to router {walk.destination}: {SINGLE}")
        yield walk


def onward(walk: Walk, routes: Routes) -> Steps:
    """From every place the arc that packets take and the place that they come to; arc -1 where they stop."""
    steps = np.full((2, routes.phases * routes.topology.graph.order), -1)
    steps[:, walk.starts] = walk.arcs, walk.ends
    arcs, places = steps.tolist()
    return arcs, places


def arcs_from(source: int, steps: Steps) -> Iterator[int]:
    """The arcs of the path from a router."""
    arcs, places = steps
    place = source
    while arcs[place] >= 0:
        yield arcs[place]
        place = places[place]


def first_fit(layers: list[Layer], wanted: list[Dependency], arcs: int, most: int = MOST) -> int:
    """The first of the layers that admits some dependencies, or a new one behind them."""
    for number, layer in enumerate(layers):
        if layer.admit(wanted):
            return number
    if len(layers) == most:
        raise InvalidParameters(f"{most} layers: expected more, which the paths need")
    layers.append(Layer(arcs))
    layers[-1].admit(wanted)
    return len(layers) - 1


def proven(scheme: str, table: NDArray[np.int32], layers: list[Layer]) -> Channels:
    """The order of every layer numbers its channels."""
    numbers = np.stack([layer.numbers() for layer in layers])
    return Channels(scheme, len(layers), Certificate(scheme, table, numbers))
