"""What a search for Cayley networks is asked for, validated."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.graph import MAX_ROUTERS
from topoctl.kernels.cayley import MAX_ORDER
from topoctl.kernels.generator_annealing import MAX_DEGREE
from topoctl.search.populations import ObjectiveName, check_populations


@dataclass(frozen=True)
class CayleyRequest:
    """One request; constructing it checks it.

    Attributes:
        order: routers N, at least 3.
        network_radix: links per router k', below N.
        concentration: endpoints per router p, or None for the family's balanced p.
        group: s, t and r of the only group to try, s t = N; or None.
        tolerance: orders up to so many routers below and above N are tried too.
        objective: minimise ASPL times diameter, or the diameter first and then the ASPL.
        population: individuals of an island.
        seconds: planned time, or None.
        evaluations: planned number of networks scored, or None.
        stagnation: end after so many epochs without improvement, or None.
        seed: of all draws.
        islands: groups that evolve side by side after the race; part of what the result depends on.
        top: distinct networks to report.

    Raises:
        InvalidParameters: a value out of range, or no group.

    Example:
        >>> CayleyRequest(order=21, network_radix=4, group=(7, 3, 2)).orders
        range(21, 22)
    """

    order: int
    network_radix: int
    concentration: int | None = None
    group: tuple[int, ...] | None = None
    tolerance: int = 0
    objective: ObjectiveName = "product"
    population: int = 8
    seconds: float | None = None
    evaluations: int | None = None
    stagnation: int | None = None
    seed: int = 1
    islands: int = 4
    top: int = 10

    def __post_init__(self) -> None:
        check_populations(self)
        self._check_network()
        self._check_group()

    @property
    def orders(self) -> range:
        """The orders that are tried."""
        least = max(self.order - self.tolerance, self.network_radix + 1)
        return range(least, min(self.order + self.tolerance, MAX_ORDER) + 1)

    def _check_network(self) -> None:
        if not 3 <= self.order <= MAX_ORDER:
            raise InvalidParameters(f"order N {self.order}: expected 3..{MAX_ORDER} routers")
        if not 2 <= self.network_radix < self.order:
            raise InvalidParameters(
                f"network radix k' {self.network_radix}: expected 2..{self.order - 1}, up to links to all "
                f"other of the {self.order} routers"
            )
        if self.network_radix > MAX_DEGREE or self.order * self.network_radix > MAX_ROUTERS:
            raise InvalidParameters(
                f"order N {self.order} and network radix k' {self.network_radix}: expected at most "
                f"{MAX_DEGREE} links per router and {MAX_ROUTERS // 2} in all"
            )
        if not 0 <= self.tolerance <= self.order // 2:
            raise InvalidParameters(
                f"tolerance {self.tolerance}: expected 0..{self.order // 2} routers, at most half of them"
            )

    def _check_group(self) -> None:
        if self.group is None:
            return
        if len(self.group) != 3:
            raise InvalidParameters(f"group {self.group}: expected the three numbers s,t,r")
        group = Group(*self.group)
        if group.order != self.order:
            raise InvalidParameters(
                f"group {group.s},{group.t},{group.r}: of order {group.order}; expected s t = {self.order}"
            )
        if self.tolerance:
            raise InvalidParameters("a group and a tolerance exclude each other; give one of them")
