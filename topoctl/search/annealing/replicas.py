"""The networks annealed side by side: how each one begins a leg, and how it walks through an epoch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.acceptance import ONE
from topoctl.kernels.link_annealing import AnnealedLinks, LinkWalk, anneal_links
from topoctl.search.annealing.begin import slots_of_file
from topoctl.search.annealing.goal import Goal, Stretch
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import HOTTEST, PUSH_HEAT, Leg
from topoctl.search.annealing.site import Site
from topoctl.search.annealing.start import starts
from topoctl.search.annealing.state import Crew, Leader
from topoctl.search.draws import Draws

MOST_ROTATIONS = 8
"""Rotations that are tried where there are many."""
ONE_ROTATION = 150
"""On a layout of so many routers or more the rotation of the highest order does best."""
WORD_BITS = 64
ROW_WORDS, ORBIT_WORDS = 4, 60
"""What a row costs besides its words, and a link of an orbit, in words: measured from 72 to 900 routers."""


def rotations_of(site: Site) -> list[int]:
    """The orders of the rotations worth trying, largest first."""
    folds = site.folds
    if site.layout is not None:
        return folds if site.order < ONE_ROTATION else folds[:1]
    places = np.unique(np.linspace(0, len(folds) - 1, MOST_ROTATIONS).round().astype(int))
    return [folds[place] for place in places]


class Replicas:
    """What a search does with its networks.

    Args:
        site: where they are.
        request: what is asked for.
        goal: what they are to become.

    Raises:
        InvalidParameters: the rotation asked for is none of the site's.
    """

    def __init__(self, site: Site, request: AnnealingRequest, goal: Goal) -> None:
        self.site, self.request, self.goal = site, request, goal
        self.folds = rotations_of(site) if request.symmetry is None else [request.symmetry]
        site.rotation(self.folds[0])

    def moves_of(self, fold: int, moves: int) -> int:
        """As many moves under this rotation as take the time of `moves` under that of the highest order."""
        return max(1, moves * self._cost(self.folds[0]) // self._cost(fold))

    @property
    def move_nanoseconds(self) -> float:
        """Roughly what a move costs one core, natively: it only sizes epochs."""
        return 300 + self.site.order * self.site.degree * self._words(self.folds[0]) / 2

    def _cost(self, fold: int) -> int:
        """What a move costs in comparison: rows of words to merge, and the links of an orbit to exchange."""
        return self.site.order * (ROW_WORDS + self._words(fold)) + ORBIT_WORDS * fold

    def _words(self, fold: int) -> int:
        return -(-self.site.order // fold // WORD_BITS)

    def founded(self, draws: Draws, first: Leg) -> Crew:
        """A crew before its first epoch."""
        crew = Crew(draws, np.zeros((0, 0, 0), np.int32), [], [], [], {}, [], [])
        if self.request.start is None:
            self._renew(crew, first, threads=1)
        else:
            slots, fold = slots_of_file(self.request.start, self.site, self.request.symmetry)
            self._place(crew, [slots] * self.request.replicas, [fold] * self.request.replicas)
        return crew

    def begin(self, crew: Crew, leg: Leg, threads: int) -> None:
        """Put the replicas where a leg begins."""
        if leg.push:
            best, count = crew.leaders[0], self.request.replicas
            temperature = min(HOTTEST, PUSH_HEAT * crew.temperatures[best.replica])
            self._place(crew, [best.slots] * count, [best.fold] * count)
            crew.temperatures = [temperature] * count
        else:
            self._renew(crew, leg, threads)

    def walk(self, crew: Crew, leg: Leg, moves: int, threads: int) -> None:
        """Anneal all replicas for so many moves, at the temperatures that they have."""
        walks = [
            self.goal.walk(
                Stretch(
                    fold=fold,
                    moves=moves and self.moves_of(fold, moves),
                    score=crew.scores[replica] if crew.scores else None,
                    push=leg.push,
                )
            )
            for replica, fold in enumerate(crew.folds)
        ]
        found = anneal_links(
            self.site.neighborhood,
            crew.slots,
            np.stack([self.site.rotation(fold) for fold in crew.folds]),
            walks,
            crew.draws.words(len(walks)),
            np.array(crew.temperatures, dtype=np.int64)[:, None],
            threads,
        )
        crew.slots, crew.scores = found.last, found.last_scores.by_walker()
        crew.evaluations += int(found.moves.sum())
        for leader in self._leaders(crew, leg, found, threads):
            crew.meet(leader, self.request.top)
        for replica, (fold, last, best) in enumerate(
            zip(crew.folds, crew.scores, found.best_scores.by_walker(), strict=True)
        ):
            mark = [crew.epoch, replica, crew.temperatures[replica], last.diameter, last.distance_sum * fold]
            crew.trace.append([*mark, best.diameter, best.distance_sum * fold])
        if moves:
            kept, made = found.accepted.sum(axis=1).tolist(), found.moves.tolist()
            crew.temperatures = [
                leg.cooled(
                    crew.epoch, temperature, kept[replica], made[replica], cold=self._cold(leg, replica)
                )
                for replica, temperature in enumerate(crew.temperatures)
            ]

    def _leaders(self, crew: Crew, leg: Leg, found: AnnealedLinks, threads: int) -> list[Leader]:
        """The best network of every replica."""
        hops = found if self.goal.in_hops else self._in_hops(crew, found.best, threads)
        leaders = []
        for replica, (fold, score) in enumerate(zip(crew.folds, hops.best_scores.by_walker(), strict=True)):
            unreached, diameter, total = score.unreached, score.diameter, score.distance_sum
            objective, slots = self.goal.objective(found, replica, fold), found.best[replica]
            leaders.append(
                Leader(leg.number, replica, fold, unreached * fold, objective, diameter, total * fold, slots)
            )
        return leaders

    def _in_hops(self, crew: Crew, slots: NDArray[np.int32], threads: int) -> AnnealedLinks:
        """The same networks with their distances in hops."""
        return anneal_links(
            self.site.neighborhood,
            slots,
            np.stack([self.site.rotation(fold) for fold in crew.folds]),
            [LinkWalk(rotation_order=fold, moves=0) for fold in crew.folds],
            np.zeros(len(slots), dtype=np.uint64),
            np.zeros((len(slots), 1), dtype=np.int64),
            threads,
        )

    def _cold(self, leg: Leg, replica: int) -> bool:
        """Whether a replica stays near where it begins: in one of those begun from a file."""
        return self.request.start is not None and leg.number == 0 and replica == 0

    def _renew(self, crew: Crew, leg: Leg, threads: int) -> None:
        """New networks, under the rotations that have done best so far, each in its turn."""
        count = self.request.replicas
        rivals = sorted(self.folds, key=lambda fold: crew.bests.get(fold, ()))[: leg.rivals]
        folds = [rivals[(leg.turn * count + replica) % len(rivals)] for replica in range(count)]
        self._place(crew, list(starts(self.site, folds, crew.draws, threads)), folds)

    def _place(self, crew: Crew, slots: list[NDArray[np.int32]], folds: list[int]) -> None:
        crew.slots, crew.folds, crew.scores = np.stack(slots), folds, []
        crew.temperatures = [min(HOTTEST, round(self.goal.first_temperature(fold) * ONE)) for fold in folds]
