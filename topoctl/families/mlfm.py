"""Multi-layer full mesh: layers of leaves, every two columns of them joined by a router."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from topoctl.families.drawing import Drawing, LinkKinds
from topoctl.families.fat_tree import leaf_endpoints
from topoctl.families.instances import axes
from topoctl.families.product_links import grid_of, joined, permutation, shift
from topoctl.families.record import Claims, Crossing, Parameter
from topoctl.families.spec import ParametricFamily
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def multi_layer_full_mesh(h: int, layers: int) -> Graph:
    """Layers of h + 1 leaves; for every two columns a global router is linked to their leaves in all layers.

    Leaf i of layer l has index (h + 1)*l + i; the global routers of the columns (0, 1), (0, 2), ..., (1, 2),
    ... come after the leaves. Kathareios et al., SC15, section 3.

    Args:
        h: links of a leaf.
        layers: of leaves.

    Example:
        >>> multi_layer_full_mesh(3, 3).order, multi_layer_full_mesh(3, 3).network_radix
        (18, 6)
    """
    leaves = grid_of((layers, h + 1))
    low, high = np.triu_indices(h + 1, 1)
    above = np.arange(len(low), dtype=np.int32) + np.int32(leaves.size)
    links = [joined(leaves[:, columns], above) for columns in (low, high)]
    return Graph.from_links(leaves.size + len(low), np.concatenate(links))


def _claims(h: int, layers: int) -> Claims:
    """Closed forms: leaves are two hops apart; global routers with a column in common too, others four."""
    leaves, above = layers * (h + 1), h * (h + 1) // 2
    links = leaves * h
    between_leaves = leaves * (leaves - 1)
    disjoint = above * (h - 1) * (h - 2) // 4  # pairs of global routers without a common column
    return Claims(
        order=leaves + above,
        network_radix=max(h, 2 * layers),
        size=links,
        diameter=4 if h > 2 else 3 if h == 2 else 2,
        distance_sum=between_leaves + 3 * leaves * above - 2 * links + above * (above - 1) + 2 * disjoint,
        leaves=leaves,
        leaf_radix=h,
        leaf_distance_sum=between_leaves,
        crossings=(Crossing(links, between_leaves),),
    )


def _symmetry(h: int, layers: int) -> Symmetry:
    """Rotations of the layers, and of the columns with the global routers that join them."""
    leaves = grid_of((layers, h + 1))
    low, high = np.triu_indices(h + 1, 1)
    above = np.arange(len(low), dtype=np.int32) + np.int32(leaves.size)
    joining = np.zeros((h + 1, h + 1), dtype=np.int32)
    joining[low, high] = joining[high, low] = above
    turned = joining[(low + 1) % (h + 1), (high + 1) % (h + 1)]
    everything = np.concatenate([leaves.reshape(-1), above])
    columns = np.concatenate([np.roll(leaves, -1, axis=1).reshape(-1), turned])
    generators = [permutation(everything, columns)]
    if layers > 1:
        generators.append(np.concatenate([shift(leaves, 0), above]))
    return Symmetry(tuple(generators))


def _drawing(h: int, layers: int) -> Drawing:
    """The layers as rows, the global routers in a row above them."""
    leaves, above = layers * (h + 1), h * (h + 1) // 2
    width = float(max(h + 1, above))
    layer = np.append(np.arange(leaves) // (h + 1), np.full(above, layers)).astype(np.int32)
    across = (
        np.append((np.arange(leaves) % (h + 1) + 0.5) / (h + 1), (np.arange(above) + 0.5) / above) * width
    )
    down = np.where(layer < layers, layer * 1.5, -max(2.0, 0.3 * width))
    names = tuple(f"of layer {number + 1}" for number in range(layers))

    def kind_of(links: NDArray[np.int64]) -> NDArray[np.int64]:
        kinds: NDArray[np.int64] = layer[links].min(axis=1).astype(np.int64)
        return kinds

    return Drawing(np.stack([across, down], axis=1), layer, LinkKinds(names, kind_of))


MLFM = ParametricFamily(
    name="mlfm",
    title="Multi-layer full mesh",
    source="Kathareios, Minkenberg, Prisacari, Rodriguez and Hoefler, SC15, section 3",
    definition=(
        "Layers of h + 1 leaves. For every two columns there is one global router, linked to the two leaves "
        "of every layer, so that each layer is a full mesh through global routers: any two leaves are two "
        "hops apart, by one path, or by h where they are in one column."
    ),
    closed_forms=(
        "N = layers (h + 1) + h(h + 1)/2, of which layers (h + 1) are leaves",
        "k' = max(h, 2 layers), of leaves h",
        "layers h(h + 1) links",
        "D = 4 for h > 2, between leaves 2",
    ),
    parameters=(
        Parameter("h", "links of a leaf", least=1),
        Parameter("layers", "layers of leaves", "balanced: h", least=1, omitted=lambda known: known["h"]),
        Parameter("p", "endpoints per leaf", "balanced: h (SC15, 3)", omitted=lambda known: known["h"]),
    ),
    examples=("mlfm(h=4)", "mlfm(h=3)", "mlfm(h=2)", "mlfm(h=5,layers=2)", "mlfm(h=1,layers=3)"),
    graph=multi_layer_full_mesh,
    claims=_claims,
    symmetry=_symmetry,
    endpoints=lambda p, h, layers: leaf_endpoints(p, layers * (h + 1), layers * (h + 1) + h * (h + 1) // 2),
    lattice=axes(h=1),
    wide=axes(h=1, layers=1),
    balanced=lambda known: known["layers"] == known["h"],
    least=lambda h, layers: replace(_claims(h, layers), distance_sum=None, leaf_distance_sum=None),
    drawing=_drawing,
)
