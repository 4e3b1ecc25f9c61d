"""Local improvement: every child is annealed by exchange of single hops, in the kernel, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.acceptance import ONE
from topoctl.kernels.equality import HopWalk, anneal_hops, equality_levels
from topoctl.search.draws import Draws
from topoctl.search.equality.forms import Form
from topoctl.search.equality.population import Individual

STEPS = 64
END_TEMPERATURE = 0.4


@dataclass(frozen=True)
class ChildAnnealing:
    """One child and how it is annealed.

    Attributes:
        individual: its hops are replaced by the best ones met.
        form: of the individual.
        weight: cost of a router beyond the target.
        temperature: to start from, in energy units.
    """

    individual: Individual
    form: Form
    weight: int
    temperature: float


def improve(
    children: Sequence[ChildAnnealing], half: int, target: int, moves: int, draws: Draws, threads: int
) -> list[Individual]:
    """Anneal every child's individual; the results, with their energies, in the same order."""
    odd, even = padded([child.individual for child in children])
    walks = [
        HopWalk(
            odd_count=child.form.odd_length,
            odd_fixed=len(child.form.fixed_odd),
            even_count=child.form.even_length,
            even_fixed=len(child.form.fixed_even),
            lift=child.form.lift,
            target=target,
            weight=child.weight,
            moves=moves,
        )
        for child in children
    ]
    temperatures = np.stack([schedule(child.temperature) for child in children])
    found = anneal_hops(half, odd, even, walks, draws.words(len(children)), temperatures, threads)
    improved = []
    for row, child in enumerate(children):
        unreached = int(found.beyond[row])
        individual = Individual(
            found.odd[row, : child.form.odd_length].tolist(),
            found.even[row, : child.form.even_length].tolist(),
            int(found.energy[row]) - (child.weight - 1) * unreached,
            unreached,
        )
        individual.weigh(child.weight)
        improved.append(individual)
    return improved


def schedule(start: float) -> NDArray[np.int64]:
    """Geometric cooling from `start` to the end temperature: int64 fixed point, shape (STEPS,)."""
    start = max(start, END_TEMPERATURE)
    falling = start * (END_TEMPERATURE / start) ** (np.arange(STEPS) / (STEPS - 1))
    return np.round(falling * ONE).astype(np.int64)


def padded(individuals: Sequence[Individual]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The halves as tables, int32, shape (individuals, longest), filled up with valid halves."""
    odd = np.zeros((len(individuals), max(len(individual.odd) for individual in individuals)), dtype=np.int32)
    even = np.ones(
        (len(individuals), max(len(individual.even) for individual in individuals)), dtype=np.int32
    )
    for row, individual in enumerate(individuals):
        odd[row, : len(individual.odd)] = individual.odd
        even[row, : len(individual.even)] = individual.even
    return odd, even


def measured_levels(
    individuals: Sequence[Individual], half: int, threads: int, most: int | None
) -> list[NDArray[np.int64]]:
    """Exact cumulative counts up to distance `most`, each int64, shape (levels,).

    The kernel is called once per pair of lengths.
    """
    groups: dict[tuple[int, int], list[int]] = {}
    for place, individual in enumerate(individuals):
        groups.setdefault((len(individual.odd), len(individual.even)), []).append(place)
    levels: dict[int, NDArray[np.int64]] = {}
    for places in groups.values():
        table = equality_levels(half, *padded([individuals[place] for place in places]), threads, most)
        levels.update(zip(places, table.astype(np.int64), strict=True))
    return [levels[place] for place in range(len(individuals))]
