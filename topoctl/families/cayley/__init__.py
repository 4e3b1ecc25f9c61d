"""Cayley networks of semidirect products of two cyclic groups, of which Equality's dihedral group is one."""

from topoctl.families.cayley.family import CAYLEY
from topoctl.families.cayley.group import Group, groups_of_order
from topoctl.families.cayley.network import Cayley

__all__ = ["CAYLEY", "Cayley", "Group", "groups_of_order"]
