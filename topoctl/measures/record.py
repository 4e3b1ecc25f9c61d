"""What a measure is: numbers of a network that are measured where they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the records are read whenever a command starts
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.analysis.chunks import OnProgress
    from topoctl.analysis.resilience import Survive
    from topoctl.economics.conventions import Convention
    from topoctl.economics.prices import Prices
    from topoctl.floor.cabinets import Cabinets
    from topoctl.floor.floor import Floor
    from topoctl.topology import Topology


@dataclass(frozen=True)
class Asked:
    """How networks are measured, whichever measures look at it.

    Attributes:
        cabinets: that the routers stand in, where sizes were given; then no floor is asked for.
        floor: that they stand on; None for the default one.
        prices: of routers and cables, and power; None for the default ones.
        convention: of a paper, in place of floor and prices.
        exact: whatever the time that it takes.
        seed: of all draws.
        threads: for the kernels; None for every core. No number depends on it.
        partitions: halvings that a bisection is found among; None for as many as usual.
        partitioner: that draws them, by name; None for the usual one.
        partition_seconds: after which no further one is begun; None for no limit.
        trials: of random failures; None for as many as usual.
        survive: makes these trials; None for threads of this process.
        planes: copies of the network that share its endpoints: cost and power are those of all.
    """

    cabinets: Cabinets | None = None
    floor: Floor | None = None
    prices: Prices | None = None
    convention: Convention | None = None
    exact: bool = False
    seed: int = 1
    threads: int | None = None
    partitions: int | None = None
    partitioner: str | None = None
    partition_seconds: float | None = None
    trials: int | None = None
    survive: Survive | None = None
    planes: int = 1


@dataclass(frozen=True)
class Measure:
    """Numbers of a network that belong together, under one name.

    Attributes:
        name: that users ask for it by.
        title: what it is, in a few words.
        columns: numbers that tables show and networks are ranked by, most important first; names of fields.
        needs: raises InvalidParameters, with what is missing and what would help, where a network cannot be
            measured, or would take much longer than a user expects and that was not asked for.
        measure: numbers of all fields, None where there is none; calls the progress with what is done and
            its total.
        others: fields that only JSON and CSV have.
        counts: what that progress counts, a plural.
        parts: the names of what is counted, where these run one after the other and take long.
        options: the attributes of `Asked` that this measure alone looks at.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    needs: Callable[[Topology, Asked], None]
    measure: Callable[[Assessment, Asked, OnProgress], Numbers]
    others: tuple[str, ...] = ()
    counts: str = "routers"
    parts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """All that it measures, by the names under which they are reported."""
        return (*self.columns, *self.others)
