"""Families of networks: one record each, in one registry."""

from __future__ import annotations

import re

from topoctl.errors import InvalidParameters, hint, meant, quoted
from topoctl.families.bdf import BDF
from topoctl.families.bundlefly import BUNDLEFLY
from topoctl.families.cayley import CAYLEY
from topoctl.families.delorme import DELORME
from topoctl.families.dln import DLN
from topoctl.families.dragonfly import DRAGONFLY
from topoctl.families.dragonfly_plus import DRAGONFLY_PLUS
from topoctl.families.drawing import Drawing, circular
from topoctl.families.equality import EQUALITY
from topoctl.families.fat_tree import FAT_TREE
from topoctl.families.flattened_butterfly import FLATTENED_BUTTERFLY
from topoctl.families.flex import FLEX
from topoctl.families.hypercube import HYPERCUBE
from topoctl.families.hyperx import HYPERX
from topoctl.families.jellyfish import JELLYFISH
from topoctl.families.kary_tree import KARY_TREE
from topoctl.families.long_hop import LONG_HOP
from topoctl.families.mesh import MESH
from topoctl.families.mlfm import MLFM
from topoctl.families.oft import OFT
from topoctl.families.polarfly import POLARFLY
from topoctl.families.polarstar import POLARSTAR
from topoctl.families.record import Family
from topoctl.families.slim_dragonfly import SLIM_DRAGONFLY
from topoctl.families.slim_fly import SLIM_FLY
from topoctl.families.spec import same_name
from topoctl.families.spectralfly import SPECTRALFLY
from topoctl.families.tcc import TCC
from topoctl.families.tct import TCT
from topoctl.families.tofu import TOFU
from topoctl.families.toroid import TOROID
from topoctl.families.torus import TORUS
from topoctl.families.twisted_torus import TWISTED_TORUS
from topoctl.families.xpander import XPANDER
from topoctl.floor.placement import Placement
from topoctl.topology import Topology

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        EQUALITY,
        CAYLEY,
        FLEX,
        SLIM_FLY,
        BDF,
        DELORME,
        POLARFLY,
        POLARSTAR,
        BUNDLEFLY,
        SPECTRALFLY,
        TCT,
        TOROID,
        TCC,
        TOFU,
        DRAGONFLY,
        SLIM_DRAGONFLY,
        DRAGONFLY_PLUS,
        HYPERX,
        FLATTENED_BUTTERFLY,
        FAT_TREE,
        KARY_TREE,
        OFT,
        MLFM,
        TORUS,
        TWISTED_TORUS,
        MESH,
        HYPERCUBE,
        LONG_HOP,
        JELLYFISH,
        XPANDER,
        DLN,
    )
}


def topology_from_spec(text: str) -> Topology:
    """Build the topology that a spec names.

    Raises:
        InvalidParameters: no family has such a spec, or the family refuses its parameters.

    Example:
        >>> topology_from_spec("N14K6[-1,1,3,9](4)").graph.size
        42
    """
    for family in FAMILIES.values():
        parameters = family.parse(text)
        if parameters is not None:
            return family.build(parameters)
    raise InvalidParameters(f"{quoted(text)} names no topology: {_advice(text)}")


def family_named(name: str) -> Family:
    """Return the family of a name, in any case, with or without marks between its words.

    Raises:
        InvalidParameters: no family has that name; the nearest one is named.

    Example:
        >>> family_named("Fat_Tree").title
        'Fat tree (folded Clos network)'
    """
    found = FAMILIES.get(same_name(name))
    if found is None:
        family, spec, _ = name.partition("(")
        if spec and same_name(family) in FAMILIES:
            raise InvalidParameters(
                f"family {quoted(name)} is a spec; expected the name of a family alone, {same_name(family)}"
            )
        raise InvalidParameters(
            f"family {quoted(name)} is unknown{hint(same_name(name), FAMILIES, listed=True)}"
        )
    return found


def placement_of(topology: Topology) -> Placement:
    """Return where the routers of a topology stand: by its layout, else by its family.

    Raises:
        InvalidParameters: neither places the routers.

    Example:
        >>> placement_of(topology_from_spec("slimfly(q=5)")).places.tolist()
        [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]]
    """
    placement = known_placement(topology)
    if placement is None:
        raise InvalidParameters("no layout to put cabinets on: expected a topology of known places")
    return placement


def known_placement(topology: Topology) -> Placement | None:
    """Return where the routers of a topology stand; None where neither layout nor family places them."""
    if topology.layout is not None:
        return Placement.on_layout(topology.layout)
    family = FAMILIES.get(topology.family) if topology.spec is not None else None
    return family.placement(topology) if family is not None and family.placement is not None else None


def drawing_of(topology: Topology) -> Drawing:
    """Return the drawing of a topology: by its family, else on a circle.

    Example:
        >>> drawing_of(topology_from_spec("dragonfly(p=2,a=4,h=2)")).kinds.names
        ('in a group', 'between groups')
    """
    family = FAMILIES.get(topology.family) if topology.spec is not None else None
    if family is None or family.drawing is None:
        return circular(topology.graph)
    return family.drawing(topology.parameters)


def _advice(text: str) -> str:
    """Name the family of the nearest name, where the text begins like one; else a spec, and where all are."""
    called = re.match(r"([-\w\s]{1,40})(?:\(|$)", text)
    likely = meant(same_name(called[1]), FAMILIES) if called else None
    if likely:
        return f"did you mean {likely}, as in {FAMILIES[likely].examples[0]}?"
    return f"expected a file, or a spec such as {SLIM_FLY.examples[0]}; topoctl families lists all"
