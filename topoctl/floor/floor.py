"""The floor that racks stand on: their sizes and rows, the room in a rack, and the lengths of cables."""

from __future__ import annotations

from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from topoctl.definitions import chosen, faults, parse, texts
from topoctl.errors import InvalidParameters
from topoctl.floor.placement import in_rows

MICROMETRES = 10**6
"""In a metre: lengths are whole numbers of them, so that sums and comparisons are exact."""
DEFAULT_FLOOR = "racks42"


class Floor(BaseModel):
    """Racks, their places on a floor, and the lengths of cables between units.

    Racks stand in rows along x, with an aisle between rows. A cable runs along x and y and, where racks have
    trays above them, from its unit up to the tray and down again; without trays it runs straight from height
    to height. Inside a rack it runs straight. The slack comes on top at both ends.

    Attributes:
        name: of the preset, or of the file.
        title: one line.
        source: of its numbers.
        rack_width: metres along x.
        rack_depth: metres along y.
        aisle: metres between two rows.
        overhead: metres of cable at each of its two ends, beyond the way.
        inside: length of every cable inside a rack, metres; None for one by its units.
        endpoint_cable: length of every cable from a router to an endpoint in its rack; None as `inside`.
        tray: how high above the racks cables run from rack to rack, metres; None without trays.
        unit_height: metres.
        units: of a rack, each for one router or endpoint; None for racks as high as it takes.
        routers_per_rack: at most; None for any number.
        width: of the room along x, metres; None for any.
        depth: of the room along y, metres; None for any.

    Example:
        >>> floor_named("equality2022").units
        42
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    name: str
    title: str = ""
    source: str = ""
    rack_width: float = Field(ge=0.001, le=100)
    rack_depth: float = Field(ge=0.001, le=100)
    aisle: float = Field(default=0, ge=0, le=100)
    overhead: float = Field(default=0, ge=0, le=1000)
    inside: float | None = Field(default=None, ge=0, le=1000)
    endpoint_cable: float | None = Field(default=None, ge=0, le=1000)
    tray: float | None = Field(default=None, ge=0, le=1000)
    unit_height: float = Field(default=0, ge=0, le=1000)
    units: int | None = Field(default=None, ge=1, le=10**6)
    routers_per_rack: int | None = Field(default=None, ge=1, le=10**6)
    width: float | None = Field(default=None, gt=0, le=10**6)
    depth: float | None = Field(default=None, gt=0, le=10**6)

    def changed(self, **values: object) -> Self:
        """Return this floor with other values; None keeps a value.

        Raises:
            InvalidParameters: a value out of range.

        Example:
            >>> floor_named("racks42").changed(units=48, aisle=None).units
            48
        """
        given = {name: value for name, value in values.items() if value is not None}
        try:
            return type(self).model_validate({**self.model_dump(), **given})
        except ValidationError as error:
            raise InvalidParameters(f"floor: {faults(error)}") from error

    def as_json(self) -> dict[str, object]:
        """Return its name and sizes."""
        return self.model_dump(exclude={"title", "source"})

    @property
    def steps(self) -> tuple[int, int]:
        """Micrometres from a rack to the next along x, and from a row to the next along y."""
        return micrometres(self.rack_width), micrometres(self.rack_depth + self.aisle)

    def in_rows(self, count: int, across: int = 1, along: int = 1) -> NDArray[np.int32]:
        """Places in rows that the room has space for, near to a square: int32, shape (count, 2).

        Where it has space for no rows of all, they are nearest to a square.

        Args:
            count: of places.
            across: racks along x that a place takes.
            along: racks along y.

        Example:
            >>> racks = floor_named("racks42")
            >>> racks.in_rows(9).max(axis=0).tolist(), racks.changed(width=2).in_rows(9).max(axis=0).tolist()
            ([5, 1], [2, 2])
        """
        width, depth = self.steps
        place = across * width, along * depth
        most = count if self.width is None else micrometres(self.width) // place[0]
        least = 1
        if self.depth is not None:
            rows = (micrometres(self.depth - self.rack_depth) // depth + 1) // along
            least = -(-count // rows) if rows > 0 else count
        return in_rows(count, *place, least, most) if least <= most else in_rows(count, *place)

    def lengths(
        self, steps: NDArray[np.int64], units: NDArray[np.int64], fixed: float | None
    ) -> NDArray[np.int64]:
        """Lengths of cables in micrometres: int64, shape (cables,).

        Args:
            steps: int64, shape (cables, 2): racks on the way along x, and along y.
            units: int64, shape (cables, 2): the two ends' units, from the top of their racks.
            fixed: metres of a cable inside a rack, or None.
        """
        height, ends = micrometres(self.unit_height), 2 * micrometres(self.overhead)
        straight = np.abs(units[:, 0] - units[:, 1]) * height
        inside = straight + ends if fixed is None else np.full(len(units), micrometres(fixed))
        rise = straight if self.tray is None else units.sum(axis=1) * height + 2 * micrometres(self.tray)
        between = steps @ np.array(self.steps) + rise + ends
        lengths: NDArray[np.int64] = np.where(steps.any(axis=1), between, inside)
        return lengths


def micrometres(metres: float) -> int:
    """Metres in whole micrometres.

    Example:
        >>> micrometres(0.04445)
        44450
    """
    return round(metres * MICROMETRES)


@cache
def floors() -> dict[str, Floor]:
    """Every preset, by name.

    Example:
        >>> sorted(floors())
        ['equality2022', 'flex2022', 'grid2016', 'racks42', 'slimfly2014']
    """
    return {name: parse("floor", name, text, Floor) for name, text in texts("floors").items()}


def floor_named(word: str) -> Floor:
    """Return a preset by its name, in any case, or a user's own TOML file.

    Raises:
        InvalidParameters: no preset has that name.
        FormatError: the file is missing, or does not describe a floor.
    """
    return chosen("floor", word, Floor, floors())


def routers_per_rack(floor: Floor, concentration: int, otherwise: int, planes: int = 1) -> int:
    """Count the routers, each with its endpoints, that fit into a rack: 1 or more.

    Args:
        floor: its racks.
        concentration: endpoints per router.
        otherwise: routers in a rack that is as high as it takes.
        planes: copies of each router that share its endpoints, and stand beside it.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> routers_per_rack(floor_named("racks42"), 4, otherwise=1)
        8
    """
    room = max(1, floor.units // (planes + concentration)) if floor.units else otherwise
    return min(room, max(1, floor.routers_per_rack // planes) if floor.routers_per_rack else room)


def rack_block(floor: Floor, concentration: int, planes: int = 1) -> tuple[int, int]:
    """Return the routers of a grid along x and y that share a rack, about evenly far apart in both.

    Where neither units nor routers of a rack are counted, or there are no endpoints, every router has a
    cabinet of its own, as in Nakano et al. (2016), section VIII.

    Args:
        floor: its racks.
        concentration: endpoints per router.
        planes: copies of each router that stand beside it.

    Example:
        >>> from topoctl.floor.floor import floor_named
        >>> rack_block(floor_named("racks42"), 4)  # racks of 0.6 m in rows of 2.4 m: 0.3 m by 0.6 m each
        (2, 4)
    """
    if not concentration:
        return 1, 1
    room = routers_per_rack(floor, concentration, otherwise=floor.routers_per_rack or 1, planes=planes)
    width, depth = floor.steps

    def spread(across: int) -> tuple[float, float, int]:
        down = room // across
        far, near = sorted((width / across, depth / down), reverse=True)
        return far, near, across + down

    across = min(range(1, room + 1), key=spread)
    return across, room // across
