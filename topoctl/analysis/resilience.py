"""How much of a network may fail at random before it is too slow or falls apart: three criteria."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, cast, get_args

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.analysis.effort import refuse_trials
from topoctl.analysis.random_failures import STEPS, Damage, Failing, Trial
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.backend import thread_count
from topoctl.topology import Topology

TRIALS = 100
MIN_TRIALS, MAX_TRIALS = 6, 10_000
"""Fewer trials give no confidence interval of 95% for the median; more make none narrower than a step."""
CRITERIA = ("connected", "diameter", "aspl")
MORE_DIAMETER = 2
MORE_ASPL = 1

Steps = tuple[int, ...]
"""The steps that a network survives in one trial, by each criterion."""
Survive = Callable[[Graph, Distances, int, Sequence[Trial]], Iterator[Steps]]
"""Makes trials of a network, given its distances and their seed, one after the other."""


@dataclass(frozen=True)
class Survival:
    """The failures that a network survives by one criterion.

    Attributes:
        failing: links or routers.
        criterion: connected; diameter, at most 2 above the whole network's; aspl, at most 1 above it.
        percent: of the links or routers: the largest step that more than half of the trials survive; 0 where
            they do not survive the first.
        least_percent: lower end of its 95% confidence interval.
        most_percent: upper end.
        shares: of the trials that survive 5, 10, ..., 95 percent.
    """

    failing: Failing
    criterion: str
    percent: int
    least_percent: int
    most_percent: int
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Resilience:
    """The failures that a network survives.

    Attributes:
        trials: random orders in which its links fail, and as many in which its routers do.
        survivals: by what fails and by criterion; none where the whole network is not connected.
    """

    trials: int
    survivals: tuple[Survival, ...]

    def numbers(self) -> dict[str, Any]:
        """Return all numbers by their names in documents."""
        told = {(one.failing, one.criterion): one.percent for one in self.survivals}
        return {
            "resilience_trials": self.trials,
            **{
                f"{failing[:-1]}_failures_{criterion}_percent": told.get((failing, criterion))
                for failing in get_args(Failing)
                for criterion in CRITERIA
            },
            "resilience": [asdict(one) for one in self.survivals],
        }


def resilience(
    topology: Topology,
    *,
    trials: int = TRIALS,
    seed: int = 1,
    threads: int | None = None,
    progress: OnProgress | None = None,
    exact: bool = False,
    survive: Survive | None = None,
) -> Resilience:
    """Let random links fail, and random routers with theirs, until the network does.

    The criteria are those of Slim Fly (Besta and Hoefler, SC14, III-D), of which FleX takes the first (Table
    5): the largest step of 5 percent that more than half of the trials survive. A trial survives the steps
    before the first at which it fails; of routers, only those that are left have to reach each other. The
    confidence interval is that of a median by order statistics, which holds whatever is behind them (David
    and Nagaraja, Order Statistics, 7.1).

    Args:
        topology: of two routers or more.
        trials: how many, 6 or more.
        seed: of the trials. The result depends on it and on their number alone.
        threads: trials that are made at once; by default on every core.
        progress: called with the trials done and their number.
        exact: measure however long it takes.
        survive: makes the trials; by default threads of this process. The result does not depend on it.

    Raises:
        InvalidParameters: a single router, too few trials, or so many that they would take long.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = resilience(topology_from_spec("slimfly(q=5)"), trials=20)
        >>> found.numbers()["link_failures_connected_percent"]
        50
    """
    refuse_unfit(topology, trials, exact=exact)
    graph = topology.graph
    whole = measure(graph, topology.symmetry, threads)
    if isinstance(whole, Disconnected):
        return Resilience(trials, ())
    kinds = cast(tuple[Failing, ...], get_args(Failing))
    asked = [(failing, trial) for trial in range(trials) for failing in kinds]
    survived: dict[Failing, list[Steps]] = {failing: [] for failing in kinds}
    made = (survive or trials_on_threads(threads))(graph, whole, seed, asked)
    for (failing, trial), steps in zip(asked, made, strict=True):
        survived[failing].append(steps)
        if progress:
            progress(trial + 1, trials)
    return Resilience(
        trials, tuple(one for failing in kinds for one in _survivals_of(failing, survived[failing]))
    )


def trials_on_threads(threads: int | None = None) -> Survive:
    """Return a function that makes trials on threads of this process, by default on every core."""

    def survive(graph: Graph, whole: Distances, seed: int, trials: Sequence[Trial]) -> Iterator[Steps]:
        pool = ThreadPoolExecutor(thread_count(threads))
        try:
            yield from pool.map(
                lambda one: steps_survived(Damage.drawn(graph, one[0], seed, one[1]), whole), trials
            )
        finally:
            pool.shutdown(cancel_futures=True)

    return survive


def refuse_unfit(topology: Topology, trials: int, *, exact: bool) -> None:
    """Raise InvalidParameters for a single router, too few trials, or, unless exact, what takes long."""
    if topology.graph.order < 2:
        raise InvalidParameters("a single router has nothing to lose: expected two routers or more")
    if not MIN_TRIALS <= trials <= MAX_TRIALS:
        wanted = f"{MIN_TRIALS}..{MAX_TRIALS}, for a 95% interval"
        raise InvalidParameters(f"trials {trials}: expected {wanted}")
    if not exact:
        refuse_trials(topology.graph, trials, trials * len(STEPS))


def disconnection(graph: Graph, *, trials: int = TRIALS, seed: int = 1) -> Survival:
    """Let random links fail until the network falls apart: the first criterion alone, soon told.

    Args:
        graph: of two routers or more.
        trials: how many, 6 or more.
        seed: of the trials, which are those of `resilience`.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> disconnection(topology_from_spec("slimfly(q=5)").graph, trials=20).percent
        50
    """
    damages = (Damage.drawn(graph, "links", seed, trial) for trial in range(trials))
    return _survival("links", "connected", [_steps_connected(damage) for damage in damages])


def steps_survived(damage: Damage, whole: Distances) -> Steps:
    """Count the steps of one trial before the first at which it fails, by each criterion.

    Args:
        damage: the trial.
        whole: distances of the whole network.
    """
    left = cache(lambda step: damage.left(STEPS[step]))

    @cache
    def distances(step: int) -> Distances:
        # Only steps are asked for at which what is left is connected.
        return cast(Distances, measure(left(step), threads=1))

    def too_wide(step: int) -> bool:
        return distances(step).diameter > whole.diameter + MORE_DIAMETER

    def too_long(step: int) -> bool:
        found = distances(step)
        allowed = whole.distance_sum + MORE_ASPL * whole.pairs
        return found.distance_sum * whole.pairs > allowed * found.pairs

    connected = _steps_connected(damage)
    return (
        connected,
        _first_failing_step(too_wide, connected, damage.failing),
        _first_failing_step(too_long, connected, damage.failing),
    )


def _steps_connected(damage: Damage) -> int:
    """Count the steps of a trial before the first at which what is left is not connected."""
    in_parts = damage.parts() > 1
    return int(in_parts.argmax()) if in_parts.any() else len(STEPS)


def _first_failing_step(fails: Callable[[int], bool], stop: int, failing: Failing) -> int:
    """Return the first of so many steps that fails; their number where no step fails.

    Once links have failed the next ones make nothing better, so that halving the steps finds it. The failure
    of a router may mend what its own lack of links has broken.
    """
    if failing == "links":
        return bisect_left(range(stop), True, key=fails)
    return next((step for step in range(stop) if fails(step)), stop)


def _survivals_of(failing: Failing, trials: list[Steps]) -> tuple[Survival, ...]:
    """Summarise the trials by each criterion."""
    return tuple(
        _survival(failing, criterion, [steps[place] for steps in trials])
        for place, criterion in enumerate(CRITERIA)
    )


def _survival(failing: Failing, criterion: str, steps: list[int]) -> Survival:
    """The median of steps survived, its confidence interval, and the shares of the trials."""
    ranked = sorted(steps, reverse=True)
    percents = (0, *STEPS)
    # More than half survive what the first of the lower half does.
    median = percents[ranked[len(ranked) // 2]]
    outside = ranks_outside(len(ranked))
    counts = Counter(steps)
    surviving, shares = len(steps), []
    for step in range(len(STEPS)):
        surviving -= counts[step]
        shares.append(surviving / len(steps))
    least, most = percents[ranked[-1 - outside]], percents[ranked[outside]]
    return Survival(failing, criterion, median, least, most, tuple(shares))


def ranks_outside(trials: int) -> int:
    """Count the ranked trials outside a 95% confidence interval of the median, on either side.

    The most for which the chance that so many or fewer of the trials fall on one side of the median, each
    with chance 1/2, is 2.5% or less.

    Example:
        >>> ranks_outside(6), ranks_outside(100)
        (0, 39)
    """
    fewer, outcomes, ways = 0, 1, 1  # of so many or fewer trials, and of just so many, out of 2**trials
    while 40 * outcomes <= 2**trials:
        ways = ways * (trials - fewer) // (fewer + 1)
        fewer += 1
        outcomes += ways
    return fewer - 1
