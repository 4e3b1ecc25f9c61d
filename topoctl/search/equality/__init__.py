"""The genetic search of Equality networks."""

from topoctl.search.equality.search import EqualitySearch

__all__ = ["EqualitySearch"]
