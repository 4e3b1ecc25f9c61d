"""What a search for Cayley networks is asked for, validated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from topoctl.errors import InvalidParameters
from topoctl.options import Option, check_options
from topoctl.options.shared import ROUTERS
from topoctl.search.options import (
    MAX_INDIVIDUALS,
    Concentration,
    Evaluations,
    NetworkRadix,
    Objective,
    Population,
    RouterRadix,
    Seconds,
    Seed,
    Seeds,
    Stagnation,
    Top,
    check_islands,
    check_work,
)


@dataclass(frozen=True)
class CayleyRequest:
    """One request; constructing it checks it.

    Its fields are its options; those of ``ClassVar`` are completed by
    :func:`topoctl.runs.requests.cayley_request`. A group is s, t and r with s t = N; `tolerance` is a number
    of routers. The result depends on `islands`.

    Raises:
        InvalidParameters: a value out of range, or no group.

    Example:
        >>> CayleyRequest(order=21, network_radix=4, group=(7, 3, 2)).orders
        range(21, 22)
    """

    order: Annotated[int, ROUTERS]
    network_radix: NetworkRadix
    concentration: Concentration = None
    router_radix: ClassVar[RouterRadix]
    group: Annotated[
        tuple[int, ...] | None,
        Option("--group", "Try this group only; N is S times T.", metavar="S,T,R", example="64,32,7"),
    ] = None
    tolerance: Annotated[
        int,
        Option(
            "--tolerance",
            "Also try orders this near to N: 12, or 2%.",
            metavar="N|PERCENT",
            default="0",
            typed=int | str,
            meaning="orders are tried up to this many routers below and above",
        ),
    ] = 0
    resize: Annotated[
        bool,
        Option(
            "--resize",
            "Bring networks of other orders to N: remove or add routers.",
            meaning="networks of other orders are brought to N routers: some are removed or added",
        ),
    ] = False
    objective: Objective = "product"
    population: Population = 8
    seconds: Seconds = None
    evaluations: Evaluations = None
    stagnation: Stagnation = None
    seed: Seed = 1
    seeds: ClassVar[Seeds]
    islands: Annotated[
        int,
        Option(
            "--islands",
            "Groups that survive the race.",
            metavar="COUNT",
            least=1,
            most=MAX_INDIVIDUALS,
            meaning="populations that evolve side by side",
        ),
    ] = 4
    top: Top = 10

    def __post_init__(self) -> None:
        check_options(self)
        check_islands(self.islands, self.population)
        check_work(self.seconds, self.evaluations)
        self._check_network()
        self._check_group()

    @property
    def orders(self) -> range:
        """The orders that are tried."""
        from topoctl.kernels.semidirect_product import MAX_ORDER

        least = max(self.order - self.tolerance, self.network_radix + 1)
        return range(least, min(self.order + self.tolerance, MAX_ORDER) + 1)

    def _check_network(self) -> None:
        from topoctl.graph import MAX_ROUTERS
        from topoctl.kernels.cayley import MAX_DEGREE
        from topoctl.kernels.semidirect_product import MAX_ORDER

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
        if self.resize and not self.tolerance:
            raise InvalidParameters(
                "resize without tolerance: expected orders around to try (--tolerance 64), or no resizing"
            )

    def _check_group(self) -> None:
        from topoctl.families.cayley.group import Group

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
