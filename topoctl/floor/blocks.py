"""Neighbouring routers of a grid that share a rack."""

from __future__ import annotations

from topoctl.floor.floor import Floor


def whole_routers(floor: Floor, concentration: int, otherwise: int) -> int:
    """Routers, each with its endpoints, that a rack has room for: 1 or more.

    Args:
        floor: its racks.
        concentration: endpoints per router.
        otherwise: routers in a rack that is as high as it takes.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> whole_routers(floor_named("racks42"), 4, otherwise=1)
        8
    """
    room = max(1, floor.units // (1 + concentration)) if floor.units else otherwise
    return min(room, floor.routers_per_rack or room)


def block_of(floor: Floor, concentration: int) -> tuple[int, int]:
    """Routers of a grid along x and along y that share a rack, so that all are about as far apart in both.

    Where neither units nor routers of a rack are counted, or there are no endpoints, every router has a
    cabinet of its own, as in Nakano et al. (2016), section VIII.

    Args:
        floor: its racks.
        concentration: endpoints per router.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> block_of(floor_named("racks42"), 4)  # racks of 0.6 m, rows of 2.4 m: 0.3 m and 0.6 m for a router
        (2, 4)
    """
    if not concentration:
        return 1, 1
    room = whole_routers(floor, concentration, otherwise=floor.routers_per_rack or 1)
    width, depth = floor.steps

    def spread(across: int) -> tuple[float, float, int]:
        down = room // across
        far, near = sorted((width / across, depth / down), reverse=True)
        return far, near, across + down

    across = min(range(1, room + 1), key=spread)
    return across, room // across
