"""What a search for Equality networks is asked for, validated. Liang et al. (2022), section 3, Eq. 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.options import Option, check_options
from topoctl.search.options import (
    MAX_EPOCHS,
    MAX_INDIVIDUALS,
    Concentration,
    Evaluations,
    NetworkRadix,
    Objective,
    Population,
    Preset,
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
class EqualityRequest:
    """One request; constructing it checks it.

    Its fields are its options; those of ``ClassVar`` are completed by
    :func:`topoctl.runs.requests.equality_request`. `fixed_even` is S_B, even hops in 2..N/2; `even_hops` is
    |S_B| where only its length is given; `fixed_odd` is the part of S_A that is held besides -1 and 1, odd
    hops in -1..N-1. The result depends on `islands`.

    Raises:
        InvalidParameters: a value out of range, or hop sets that Eq. 1 contradicts.
        Infeasible: each value is right, but no network has all of them.

    Example:
        >>> EqualityRequest(order=14, network_radix=6, fixed_even=(4,)).odd_length
        4
    """

    preset: ClassVar[Preset]
    order: Annotated[int, Option("--n", "Routers, even.", metavar="N", meaning="number of routers")]
    network_radix: NetworkRadix
    concentration: Concentration = None
    router_radix: ClassVar[RouterRadix]
    fixed_even: Annotated[
        tuple[int, ...] | None,
        Option("--fixed-b", "Hold these even hops fixed.", metavar="HOPS", example="200,410"),
    ] = None
    even_hops: Annotated[
        int | None, Option("--even-hops", "Number of even hops, where they are free.", metavar="COUNT")
    ] = None
    fixed_odd: Annotated[
        tuple[int, ...],
        Option("--fixed-a", "Hold these odd hops fixed.", metavar="HOPS", least=-1, example="1,3,9"),
    ] = ()
    objective: Objective = "product"
    population: Population = 8
    generations: Annotated[
        int | None,
        Option("--generations", "Run exactly this many epochs.", metavar="COUNT", least=1, most=MAX_EPOCHS),
    ] = None
    crossover: Annotated[
        float,
        Option(
            "--crossover", "Probability that a child has two parents.", metavar="PROBABILITY", least=0, most=1
        ),
    ] = 0.7
    mutation: Annotated[
        float,
        Option("--mutation", "Probability that a child is mutated.", metavar="PROBABILITY", least=0, most=1),
    ] = 0.3
    seconds: Seconds = None
    evaluations: Evaluations = None
    stagnation: Stagnation = None
    seed: Seed = 1
    seeds: ClassVar[Seeds]
    islands: Annotated[
        int, Option("--islands", "Populations side by side.", metavar="COUNT", least=1, most=MAX_INDIVIDUALS)
    ] = 4
    top: Top = 10

    def __post_init__(self) -> None:
        check_options(self)
        check_islands(self.islands, self.population)
        check_work(self.seconds, self.evaluations)
        self._check_network()
        self._check_even_hops()
        self._check_odd_hops()

    @property
    def even_length(self) -> int | None:
        """|S_B| where it is fixed."""
        return self.even_hops if self.fixed_even is None else len(self.fixed_even)

    @property
    def odd_length(self) -> int | None:
        """|S_A| = k' - 2|S_B|, one more where N/2 is in S_B (Eq. 1); None where S_B is free to decide."""
        if self.fixed_even is not None:
            return self.network_radix - 2 * len(self.fixed_even) + (self.order // 2 in self.fixed_even)
        return None if self.even_hops is None else self.network_radix - 2 * self.even_hops

    @property
    def least_odd(self) -> int:
        """How many odd hops are fixed, -1 and 1 among them."""
        return len({hop % self.order for hop in (-1, 1, *self.fixed_odd)})

    @property
    def _spare(self) -> int:
        """1 where S_B is free to hold N/2, which costs one port less and so leaves one more odd hop."""
        return int(self.order % 4 == 0 and bool(self.even_hops))

    def _check_network(self) -> None:
        from topoctl.graph import MAX_ROUTERS
        from topoctl.kernels.equality import MAX_HOPS

        if self.order < 4 or self.order % 2:
            raise InvalidParameters(f"order N {self.order}: expected an even number of routers, at least 4")
        if not 2 <= self.network_radix < self.order:
            raise InvalidParameters(
                f"network radix k' {self.network_radix}: expected 2..{self.order - 1}, from the ring up to "
                f"links to all other of the {self.order} routers"
            )
        if self.network_radix > MAX_HOPS or self.order * self.network_radix > MAX_ROUTERS:
            raise InvalidParameters(
                f"order N {self.order} and network radix k' {self.network_radix}: expected at most "
                f"{MAX_HOPS} links per router and {MAX_ROUTERS // 2} in all"
            )

    def _check_even_hops(self) -> None:
        half = self.order // 2
        if self.fixed_even is not None and self.even_hops is not None:
            raise InvalidParameters("fixed even hops and their number exclude each other; give one of them")
        if self.even_hops is not None and not 0 <= self.even_hops <= half // 2:
            raise InvalidParameters(
                f"even hops {self.even_hops}: expected 0..{half // 2} of them at N = {self.order}"
            )
        for hop in self.fixed_even or ():
            if hop % 2 or not 2 <= hop <= half:
                raise InvalidParameters(f"even hop {hop}: expected an even number in 2..{half} (N/2)")
        check_distinct("even", self.fixed_even or ())
        length = self.odd_length
        if length is not None and (length + self._spare < 2 or length > half):
            raise InvalidParameters(
                f"network radix k' {self.network_radix}: with {self.even_length} even hops Eq. 1 leaves "
                f"{length} odd hops; expected 2..{half}"
            )

    def _check_odd_hops(self) -> None:
        from topoctl.families.equality.bounds import splits

        for hop in self.fixed_odd:
            if hop % 2 == 0 or not -1 <= hop < self.order:
                raise InvalidParameters(f"odd hop {hop}: expected an odd number in -1..{self.order - 1}")
        check_distinct("odd", tuple(hop % self.order for hop in self.fixed_odd))
        if self.odd_length is None:
            room = max(split.odd for split in splits(self.order, self.network_radix))
        else:
            room = self.odd_length + self._spare
        if self.least_odd > room:
            raise Infeasible(
                f"{self.least_odd} fixed odd hops (-1 and 1 among them) in S_A, which has room for {room} "
                f"at k' = {self.network_radix}"
            )


def check_distinct(kind: str, hops: tuple[int, ...]) -> None:
    """Refuse a hop that is given twice.

    Raises:
        InvalidParameters: naming the hop.
    """
    for place, hop in enumerate(hops):
        if hop in hops[:place]:
            raise InvalidParameters(f"{kind} hop {hop} is given twice; expected each hop once")
