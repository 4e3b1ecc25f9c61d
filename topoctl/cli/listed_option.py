"""Names of registries, imported when the help is asked for."""

from __future__ import annotations

from collections.abc import Iterable


def routings() -> Iterable[str]:
    """Names of routings."""
    from topoctl.routing import ROUTINGS

    return ROUTINGS


def patterns() -> Iterable[str]:
    """Names of patterns of traffic."""
    from topoctl.routing.patterns import PATTERNS

    return PATTERNS


def schemes() -> Iterable[str]:
    """Names of schemes of virtual channels."""
    from topoctl.routing.channels import SCHEMES

    return SCHEMES
