"""What a search for Equality networks is asked for, validated. Liang et al. (2022), section 3, Eq. 1."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families.equality.bounds import splits
from topoctl.graph import MAX_ROUTERS
from topoctl.kernels.hop_annealing import MAX_HOPS
from topoctl.search.populations import ObjectiveName, check_populations


@dataclass(frozen=True)
class EqualityRequest:
    """One request; constructing it checks it.

    Attributes:
        order: routers N, even, at least 4.
        network_radix: links per router k', below N.
        concentration: endpoints per router p, or None for the family's balanced p.
        fixed_even: S_B, held fixed; even hops in 2..N/2.
        even_hops: |S_B|, where only its length is given.
        fixed_odd: the part of S_A that is held fixed besides -1 and 1; odd hops in -1..N-1.
        objective: minimise ASPL times diameter, or the diameter first and then the ASPL.
        population: individuals of an island.
        generations: at most so many, or None.
        crossover: probability that a child has two parents.
        mutation: probability that a child is mutated.
        seconds: planned time, or None.
        evaluations: planned number of networks scored, or None.
        stagnation: end after so many epochs without improvement, or None.
        seed: of all draws.
        islands: populations that evolve side by side; part of what the result depends on.
        top: distinct networks to report.

    Raises:
        InvalidParameters: a value out of range, or hop sets that Eq. 1 contradicts.
        Infeasible: each value is right, but no network has all of them.

    Example:
        >>> EqualityRequest(order=14, network_radix=6, fixed_even=(4,)).odd_length
        4
    """

    order: int
    network_radix: int
    concentration: int | None = None
    fixed_even: tuple[int, ...] | None = None
    even_hops: int | None = None
    fixed_odd: tuple[int, ...] = ()
    objective: ObjectiveName = "product"
    population: int = 8
    generations: int | None = None
    crossover: float = 0.7
    mutation: float = 0.3
    seconds: float | None = None
    evaluations: int | None = None
    stagnation: int | None = None
    seed: int = 1
    islands: int = 4
    top: int = 10

    def __post_init__(self) -> None:
        check_populations(self)
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
