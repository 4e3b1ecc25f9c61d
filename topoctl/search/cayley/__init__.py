"""The search of Cayley networks of semidirect products."""

from topoctl.search.cayley.search import CayleySearch

__all__ = ["CayleySearch"]
