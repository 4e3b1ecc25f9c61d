"""Families: one file each, one record, one registry line."""

from __future__ import annotations

from topoctl.errors import InvalidParameters
from topoctl.families.bdf import BDF
from topoctl.families.delorme import DELORME
from topoctl.families.dln import DLN
from topoctl.families.dragonfly import DRAGONFLY
from topoctl.families.fat_tree import FAT_TREE
from topoctl.families.flattened_butterfly import FLATTENED_BUTTERFLY
from topoctl.families.flex import FLEX
from topoctl.families.hypercube import HYPERCUBE
from topoctl.families.hyperx import HYPERX
from topoctl.families.jellyfish import JELLYFISH
from topoctl.families.kary_tree import KARY_TREE
from topoctl.families.long_hop import LONG_HOP
from topoctl.families.mesh import MESH
from topoctl.families.polarfly import POLARFLY
from topoctl.families.record import Family
from topoctl.families.slim_fly import SLIM_FLY
from topoctl.families.tcc import TCC
from topoctl.families.tct import TCT
from topoctl.families.tofu import TOFU
from topoctl.families.toroid import TOROID
from topoctl.families.torus import TORUS
from topoctl.topology import Topology

FAMILIES: dict[str, Family] = {
    "flex": FLEX,
    "slimfly": SLIM_FLY,
    "bdf": BDF,
    "delorme": DELORME,
    "polarfly": POLARFLY,
    "tct": TCT,
    "toroid": TOROID,
    "tcc": TCC,
    "tofu": TOFU,
    "dragonfly": DRAGONFLY,
    "hyperx": HYPERX,
    "flatbutterfly": FLATTENED_BUTTERFLY,
    "fattree": FAT_TREE,
    "karytree": KARY_TREE,
    "torus": TORUS,
    "mesh": MESH,
    "hypercube": HYPERCUBE,
    "longhop": LONG_HOP,
    "jellyfish": JELLYFISH,
    "dln": DLN,
}


def topology_from_spec(text: str) -> Topology:
    """Build the topology that a spec describes.

    Raises:
        InvalidParameters: the text is not a spec of any family, or a wrong one.

    Example:
        >>> topology_from_spec("slimfly(q=19,p=15)").endpoints
        10830
    """
    for family in FAMILIES.values():
        parameters = family.parse(text)
        if parameters is not None:
            return family.build(parameters)
    raise InvalidParameters(
        f"{text}: not a spec; expected NAME(key=value,...), NAME one of {', '.join(FAMILIES)}"
    )
