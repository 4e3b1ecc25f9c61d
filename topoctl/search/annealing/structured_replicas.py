"""Replicas that begin with structures: one network (``--start``, ``--origin``), or whatever wins a race.

Networks made of a structure are annealed barely warm, because warmer ones lose the structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import cycle, islice
from math import ceil

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import PairScore
from topoctl.kernels.link_annealing.walk import ONE_BLOCK, best_method
from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.annealing.objectives.objective import Objective
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.replicas import Replicas, Trials
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import COLDEST, FEW_EPOCHS, SETTLING_TRIALS, Leg, trial_legs
from topoctl.search.annealing.starts import Start, Starter
from topoctl.search.annealing.starts.base_graph import (
    BaseGraph,
    FamilyStarter,
    bases_of_families,
    structure_count,
)
from topoctl.search.annealing.starts.best_so_far import BEST, BestSoFarStarter
from topoctl.search.annealing.starts.cayley_and_lifts import (
    AnnealUnder,
    CayleyStarter,
    cayley_starters,
    lift_starters,
)
from topoctl.search.annealing.starts.random_networks import random_starts
from topoctl.search.annealing.state import AnnealingState, Contender, Structure
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.draws import Draws
from topoctl.search.resizing.resized import base_graph_count, best_resized, settled
from topoctl.search.slots import slots_of

WARM = 0.5  # twice as warm, structures melt
"""The temperature at which the warmer replicas begin, for each link of a router: of the first guess for each
router."""
MEASURING_NANOSECONDS = 0.4  # of 65,536 routers of 6 links
"""Time of one core to measure a network, for each of its pairs and links of a router."""
MEASURED_ANYWAY = 2e10
"""Nanoseconds of one core in which a leg may measure its networks, however short the search."""
MOST_PORTS = 2**19  # beyond, bringing one structure to its order takes minutes
"""Ports of all routers, at most, where structures that are brought to the order race."""
UNBLOCKED = 6
"""How many times as long a move takes where its sources do not fit into one block of the kernel."""
MATRIX_NANOSECONDS = 0.025
"""Time of a barely warm move for each pair where only the distances that it changes are measured."""
SAVED_UP = 1000  # finding all distances first takes as long as 350 moves
"""Moves that a barely warm replica makes in one walk."""
TRIED_PORTS = 10_000  # smaller structures are made so quickly that the race tries them
"""Ports of all routers, at least, where structures are tried before the race."""
DENSE = 2  # with fewer links a router Cayley networks and groups are better
"""Routers, at most, as multiples of the squared links of one, where structures are tried."""
BEHIND = 0.01
"""How much further behind the best a contender may be, as a part of the sum of its distances, to go on."""
TRIAL_PRESSURE, PRESSING = 0.25, 0.875
"""How hard structures are pressed on while they are tried; and the part of a leg in which pressure rises."""
TRIED_SHARE = 0.75
"""Time that trying structures may take, as a part of that of all moves."""
MOVE_COST = 5.0  # from 512 to 4,896 routers of 11 to 57 links
"""How many times as long as estimated a move of a group takes, at most, where routers have many links."""
LEAST_TRIED = 2
"""Structures that are tried, if any are."""
KEPT = 3
"""Structures that race after they have been tried."""
SETTLING_MOVES, SETTLING_NANOSECONDS = 1000, 0.25  # measured at 1,250 and 1,344 routers
"""Moves of the walk that tries a structure; and the time of one for each pair of routers."""
LEAST_GROUPS = 4
"""Groups that race, however few the moves."""
FINDING = 0.5
"""The part of the time of a leg in which a starter may find its network."""
CAYLEY_SHARE, LONGEST_FINDING = 0.3, 2e10
"""The part of the time of all moves in which the first Cayley networks are found; and nanoseconds of one core
that finding one may take, in which a search cannot be interrupted."""
CAYLEY_LINKS = 10  # with fewer, groups of several orbits are better
"""Links of a router, at least, where much of the time goes into Cayley networks."""
LEAST_NANOSECONDS = 1e7  # some ten thousand moves of a hundred routers
"""Time of one core that a search must have for its legs to begin with structures."""
SPARSE_LINKS, SPARSE_PORTS = 7, 5  # at 128 routers of 5 and 6 links groups alone are ahead for ten seconds
"""With fewer links a router it must have so much for every few ports, as structures win late."""
FAMILIES_SHARE, QUICK_NANOSECONDS = 0.25, 2e9
"""The part of the time of all moves in which structures may be made that are not tried before the race;
and what that may take however short the search."""


class StructuredReplicas(Replicas):
    """Replicas that are barely warm where they stay near a network of structure."""

    @property
    def presses(self) -> bool:
        """Whether the network is dense: cold walks hardly find what brings its last far pairs nearer."""
        dense = self.problem.order <= DENSE * self.problem.degree**2
        return dense and self.request.origin is not None

    @cached_property
    def warm(self) -> int:
        """The temperature, fixed point, at which the warmer ones begin."""
        guess = self.objective.first_temperature(rotation_group(1)) / self.problem.order
        return max(COLDEST, round(WARM * guess * self.problem.degree * ONE))

    def _pressure(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> float | None:
        """Return how hard a walk near a start presses: harder and harder in a leg, half as hard in trials.

        So most of the furthest pairs come nearer by exchanges that cost other pairs little.
        """
        if not self.presses or not self._keeps_start(current, replica):
            return None
        if leg.before_race:
            return (current.epoch - leg.first) / (leg.epochs - 1) if leg.settles else TRIAL_PRESSURE
        done = current.epoch - leg.first + self._epochs_of_walk(current, leg, replica, moves)
        return min(1.0, done / (PRESSING * leg.epochs))

    def _epochs_of_walk(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> int:  # noqa: ARG002
        """Return the epochs whose moves a replica makes in one walk."""
        return 1

    def _next_temperature(self, current: AnnealingState, leg: Leg, replica: int, kept: int, made: int) -> int:
        """Return the next temperature; near a structure it falls to the coldest, whatever moves are kept."""
        if not self._keeps_start(current, replica):
            return super()._next_temperature(current, leg, replica, kept, made)
        cooling: float = (COLDEST / self.warm) ** (1 / leg.epochs)
        return max(COLDEST, round(current.temperatures[replica] * cooling))


class LocalReplicas(StructuredReplicas):
    """Replicas that stay near the network of the start file, or near the best made of one base graph.

    Every other one is barely warm.
    """

    in_one_leg = True

    def first_networks(self, draws: Draws, first: Leg) -> AnnealingState:  # noqa: ARG002
        """Return the state before the first epoch."""
        current = AnnealingState.empty(draws)
        if self.request.start is not None:
            self._begin_with_file(current, self.request.start)
        else:
            self._begin_with_base_graph(current, self.request.origin or "")
        self._cool(current)
        return current

    def _cool(self, current: AnnealingState) -> None:
        """Make every other replica barely warm, the others cold."""
        count = self.request.replicas
        current.temperatures = [self.warm if replica % 2 else COLDEST for replica in range(count)]

    def _begin_with_base_graph(self, current: AnnealingState, origin: str) -> None:
        """Give every replica one of the best networks of the order that are made of a base graph."""
        order, degree, count = self.problem.order, self.problem.degree, self.request.replicas
        graph = BaseGraph.parse(origin).graph()
        found = best_resized(graph, order, degree, base_graph_count(order, degree), current.draws, threads=1)
        given = [found[replica % len(found)] for replica in range(count)]
        self._place(current, [one.slots for one in given], self.groups * count)
        current.origins, current.start_links = [origin] * count, [graph.size] * count
        room = np.full((count, order, max(degree, graph.network_radix)), -1, dtype=np.int32)
        for starts, one in zip(room, given, strict=True):
            starts[: one.left.order] = slots_of(one.left, room.shape[2])
        current.starts = room

    def _keeps_start(self, current: AnnealingState, replica: int) -> bool:  # noqa: ARG002
        """All replicas stay near what they began with."""
        return True


class RacingReplicas(StructuredReplicas):
    """Replicas whose legs begin with any contender of a race: random under a group, or made by a starter.

    Args:
        problem, request, objective, raced: as for :class:`Replicas`.
        anneal: finds lifts for starters.
    """

    walking_share = 1 - FINDING / 2

    def __init__(
        self,
        problem: Problem,
        request: AnnealingRequest,
        objective: Objective,
        raced: Sequence[Group] | None,
        anneal: AnnealUnder,
    ) -> None:
        super().__init__(problem, request, objective, raced)
        starters = starters_of(problem.order, problem.degree, anneal)
        self.starters = {starter.name: starter for starter in starters}
        self.tried: list[str] = []
        self.move_cost = MOVE_COST
        """How many times as long as estimated a move takes."""
        self.first_finding = 0.0
        """Nanoseconds of one core for the first Cayley network of each starter; 0 where legs set the time."""

    @property
    def contenders(self) -> Sequence[Contender]:
        """The starters, then the groups."""
        return [*self.starters, *self.groups]

    @property
    def rivals(self) -> int:
        """How many contenders race: of the structures that were tried, the best few."""
        return len(self.contenders) - max(0, len(self.tried) - KEPT)

    def plan_trials(self, nanoseconds: float, move_cost: float | None) -> Trials:
        """Choose the structures that are tried, the likeliest first, and those that race if none are."""
        self.move_cost = min(MOVE_COST, move_cost or MOVE_COST)
        order, degree = self.problem.order, self.problem.degree
        least, enough = self._least_symmetry(nanoseconds), LEAST_NANOSECONDS
        if least == 1 and degree < SPARSE_LINKS:
            enough *= max(1, order * degree / SPARSE_PORTS)
        trials = self._plan_trials(nanoseconds) if least == 1 else self._hold_to_symmetry(least)
        cayley = sum(isinstance(one, CayleyStarter) for one in self.starters.values())
        if cayley and nanoseconds >= enough and degree >= CAYLEY_LINKS:
            self.first_finding = CAYLEY_SHARE * self.move_cost * nanoseconds / cayley
            trials = trials._replace(nanoseconds=trials.nanoseconds + CAYLEY_SHARE * nanoseconds)
        races = nanoseconds >= enough
        families = self._affordable_families(nanoseconds) if races else []
        self.starters = {
            name: one
            for name, one in self.starters.items()
            if name in {BEST, *self.tried, *families} or (races and not isinstance(one, FamilyStarter))
        }
        return trials

    def _affordable_families(self, nanoseconds: float) -> list[str]:
        """Choose the structures that race untried, the likeliest first, by what making them takes."""
        tries = base_graph_count(self.problem.order, self.problem.degree)
        left = max(QUICK_NANOSECONDS, FAMILIES_SHARE * self.move_cost * nanoseconds)
        chosen = list[str]()
        for name, one in self.starters.items():
            if isinstance(one, FamilyStarter) and name not in self.tried:
                taken = tries * one.nanoseconds(self.problem)
                if taken <= left:
                    left, chosen = left - taken, [*chosen, name]
        return chosen

    def _least_symmetry(self, nanoseconds: float) -> int:
        """Return of how many elements groups must be, so that a leg measures its networks in the time of all.

        A leg measures them once an epoch, from a router of every orbit.
        """
        order, degree = self.problem.order, self.problem.degree
        measuring = FEW_EPOCHS * MEASURING_NANOSECONDS * order**2 * degree
        if order * degree <= MOST_PORTS and measuring <= MEASURED_ANYWAY:
            return 1
        return max(1 + (order * degree > MOST_PORTS), ceil(measuring / nanoseconds))

    def _hold_to_symmetry(self, least: int) -> Trials:
        """Let only groups of so many elements race, and Cayley networks; nothing is tried before."""
        self.groups = [one for one in self.groups if one.order >= least] or self.groups[:1]
        exact = [one for one in self.starters.values() if isinstance(one, CayleyStarter) and not one.spread]
        starters: list[Starter] = [BestSoFarStarter(least), *(replace(one, symmetric=True) for one in exact)]
        self.starters = {one.name: one for one in starters}
        return Trials()

    def _plan_trials(self, nanoseconds: float) -> Trials:
        order, degree, count = self.problem.order, self.problem.degree, self.request.replicas
        families = [one for one in self.starters.values() if isinstance(one, FamilyStarter)]
        walk = SETTLING_MOVES * SETTLING_NANOSECONDS * order**2
        affordable = TRIED_SHARE * self.move_cost * nanoseconds
        left, tried = affordable - SETTLING_TRIALS * walk * count, list[FamilyStarter]()
        if self.presses and order * degree >= TRIED_PORTS:
            for one in families:
                if (taken := one.nanoseconds(self.problem) + walk) <= left:
                    left, tried = left - taken, [*tried, replace(one, once=True)]
        if len(tried) < LEAST_TRIED:
            untried = families[structure_count(order, degree) :]
            self.starters = {name: one for name, one in self.starters.items() if one not in untried}
            return Trials()
        others = {name: one for name, one in self.starters.items() if one not in families}
        self.tried = [one.name for one in tried]
        self.starters = {**others, **dict(zip(self.tried, tried, strict=True))}
        legs = trial_legs(self.tried, count, int(walk / self.move_cost / self.move_nanoseconds))
        return Trials(legs, (affordable - left) / self.move_cost)

    def limit_groups(self, count: int) -> None:
        """Let fewer groups race, so that all contenders are `count`."""
        super().limit_groups(max(LEAST_GROUPS, count - self.rivals + len(self.groups)))

    def walk(self, current: AnnealingState, leg: Leg, moves: int, threads: int) -> None:
        """Anneal all replicas, and keep the best structures as the walk left them."""
        super().walk(current, leg, moves, threads)
        for replica, name in enumerate(current.contenders):
            if name in self.tried:
                found = Structure(
                    self._expected_rank(current.scores[replica]),
                    current.slots[replica],
                    current.starts[replica],
                    current.origins[replica],
                    current.start_links[replica],
                )
                current.keep_structure(str(name), found, KEPT)

    def _is_pressed(self, score: PairScore) -> bool:
        """Say whether a cold walk is to bring the few furthest pairs nearer."""
        return self._expected_rank(score)[2] < score.diameter

    def _expected_rank(self, score: PairScore) -> tuple[int, ...]:
        """Return the rank of a network as a cold walk will leave it."""
        beyond = score.beyond if self.request.target_diameter else 0
        reached = settled(
            score.diameter, score.distance_sum, score.at_diameter, self.problem.order, self.problem.degree
        )
        return (score.unreached, beyond, *reached)

    def _begin_anew(self, current: AnnealingState, leg: Leg, threads: int) -> None:
        """Begin with the structures that are tried, the best of them, or contenders of the race."""
        if not leg.before_race:
            super()._begin_anew(current, leg, threads)
            return
        names = leg.tried or list(islice(cycle(current.structures), self.request.replicas))
        contenders = [current.take_least_tried([name]) for name in names]
        self._begin_with(current, leg, contenders, threads)

    def _best_contenders(self, current: AnnealingState, count: int) -> Sequence[Contender]:
        """Return the contenders that have done best so far; the best network is one once there is any.

        At least half of them are groups, which are slow to show what is in them, and three quarters while a
        group's network leads. Where structures were tried, nothing far behind goes on.
        """
        gone = {*self.tried} - {*current.structures}
        contenders = [one for one in self.contenders if one not in gone and (one != BEST or current.leaders)]
        contenders.sort(key=lambda one: self._race_key(current, one))
        if self.tried and count < self.rivals:
            return self._near_best(current, contenders)[:count]
        starters = [one for one in contenders if isinstance(one, str)]
        groups = [one for one in contenders if isinstance(one, Group)]
        led = bool(current.leaders and current.leaders[0].origin)
        fewest = count // 2 if led else count - max(1, count // 4)
        groups = groups[: max(fewest, count - len(starters))]
        return [*starters[: count - len(groups)], *groups]

    def _near_best(self, current: AnnealingState, contenders: list[Contender]) -> list[Contender]:
        """Return those of sorted contenders whose distance sum is near the least."""
        *best, hops = self._race_key(current, contenders[0])[1]
        ranks = [self._race_key(current, one)[1] for one in contenders]
        near = [rank[:-1] == (*best,) and rank[-1] <= (1 + BEHIND) * hops for rank in ranks]
        return [one for one, is_near in zip(contenders, near, strict=True) if is_near]

    def _race_key(self, current: AnnealingState, contender: Contender) -> tuple[bool, tuple[int, ...]]:
        """Return a sort key; the best network ranks where it was found until nothing better comes of it."""
        exhausted, rank = current.race_key(contender)
        if isinstance(contender, str) and contender in current.structures:
            return exhausted, min(rank, current.structures[contender].rank)
        if contender != BEST:
            return exhausted, rank
        best = current.leaders[0].rank
        return exhausted and rank == best, best

    def _begin_with(
        self, current: AnnealingState, leg: Leg, contenders: Sequence[Contender], threads: int
    ) -> None:
        """Give every replica what its contender begins with; what a starter made is warm every other time."""
        groups = [one for one in contenders if isinstance(one, Group)]
        random = iter(random_starts(self.problem, groups, current.draws, threads) if groups else ())
        nanoseconds = FINDING * leg.moves * leg.epochs * self.move_nanoseconds
        starts = [
            Start(next(random), one, "")
            if isinstance(one, Group)
            else self.starters[one].start(
                self.problem, current, self._finding_nanoseconds(current, one, nanoseconds), threads
            )
            for one in contenders
        ]
        self._place(current, [start.slots for start in starts], [start.group for start in starts])
        none = np.full(current.slots.shape[1:], -1, dtype=np.int32)
        current.starts = np.stack([none if start.left is None else start.left for start in starts])
        current.start_links = [start.links for start in starts]
        current.contenders, current.origins = [*contenders], [start.origin for start in starts]
        for replica, one in enumerate(contenders):
            if isinstance(one, str):
                warm = current.tries[one].legs % 2 and not leg.before_race
                current.temperatures[replica] = self.warm if warm else COLDEST

    def _finding_nanoseconds(self, current: AnnealingState, name: str, nanoseconds: float) -> float:
        """Return for how long a starter may look, in a leg that leaves it some estimated nanoseconds."""
        if not self.first_finding or not isinstance(self.starters[name], CayleyStarter):
            return nanoseconds
        first = self.first_finding if current.tries[name].legs == 1 else 0.0
        return min(LONGEST_FINDING, max(self.move_cost * nanoseconds, first))

    def _start_of(self, best: AnnealingLeader, current: AnnealingState) -> NDArray[np.int32]:  # noqa: ARG002
        """Return what is left of the structure: other legs may have begun since."""
        return best.slots_kept

    def _keeps_start(self, current: AnnealingState, replica: int) -> bool:
        """Replicas stay near what a starter made."""
        return isinstance(current.contenders[replica], str)

    def _epoch_moves(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> int:
        """Return the moves of a replica in an epoch; a barely warm one saves them up, to set up few walks."""
        if leg.before_race:
            return 0 if current.epoch == leg.first else SETTLING_MOVES * moves // leg.moves
        if not self._saves_up(current, replica):
            return super()._epoch_moves(current, leg, replica, moves)
        period = self._epochs_of_walk(current, leg, replica, moves)
        done = current.epoch - leg.first
        each = self._saved_moves(current, replica, moves)
        return 0 if done % period else int(each * min(period, leg.epochs - done))

    def _saves_up(self, current: AnnealingState, replica: int) -> bool:
        """Say whether a replica makes the moves of several epochs in one walk."""
        sources, order = self.problem.order // current.groups[replica].order, self.problem.order
        return self._keeps_start(current, replica) and best_method(sources, order) != "full"

    def _epochs_of_walk(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> int:
        """Return the epochs whose moves a replica makes in one walk."""
        if not self._saves_up(current, replica):
            return 1
        return min(leg.epochs, ceil(SAVED_UP / max(1.0, self._saved_moves(current, replica, moves))))

    def _saved_moves(self, current: AnnealingState, replica: int, moves: int) -> float:
        """Return the moves that a replica saves up in an epoch."""
        sources, order = self.problem.order // current.groups[replica].order, self.problem.order
        each = moves * self._move_cost(self.groups[0]) / (MATRIX_NANOSECONDS * sources * order)
        if self.tried:
            each *= self.move_cost
            if current.scores and self._is_pressed(current.scores[replica]):
                each *= MATRIX_NANOSECONDS / SETTLING_NANOSECONDS
        return each

    def _move_cost(self, group: Group) -> int:
        # Moves under such a group change no voltages.
        unblocked = self.problem.order > ONE_BLOCK * group.order
        return super()._move_cost(group) * (UNBLOCKED if unblocked else 1)


def starters_of(order: int, degree: int, anneal: AnnealUnder) -> list[Starter]:
    """Return the starters for an order and a degree, the quickest first.

    Example:
        >>> [starter.name for starter in starters_of(64, 8, anneal=lambda *_: None)][:4]
        ['best', 'polarfly(q=8)', '2*slimfly(q=4)', 'polarfly(q=9)']
    """
    families = bases_of_families(order, degree) if order * degree <= MOST_PORTS else []
    structures = [FamilyStarter(str(base)) for base in families]
    lifts = lift_starters(order, degree, anneal)
    return [BestSoFarStarter(), *structures, *cayley_starters(order, degree), *lifts]
