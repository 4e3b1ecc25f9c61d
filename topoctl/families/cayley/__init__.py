"""Cayley networks of semidirect products of two cyclic groups, among them Equality's dihedral group."""

from topoctl.families.cayley.family import CAYLEY
from topoctl.families.cayley.group import Group, groups_of_order
from topoctl.families.cayley.network import Cayley

__all__ = ["CAYLEY", "Cayley", "Group", "groups_of_order"]
