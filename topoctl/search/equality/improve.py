"""Local improvement: every child is annealed by exchange of single hops, in the kernel, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.acceptance import ONE
from topoctl.kernels.equality import equality_levels
from topoctl.kernels.hop_annealing import HopWalk, anneal_hops
from topoctl.search.draws import Draws
from topoctl.search.equality.forms import Form
from topoctl.search.equality.population import Individual

STEPS = 64
END_TEMPERATURE = 0.4


@dataclass(frozen=True)
class Task:
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
    tasks: Sequence[Task], half: int, target: int, moves: int, draws: Draws, threads: int
) -> list[Individual]:
    """Anneal every task's individual; the results, with their energies, in the same order."""
    odd, even = padded([task.individual for task in tasks])
    walks = [
        HopWalk(
            odd_count=task.form.odd_length,
            odd_fixed=len(task.form.fixed_odd),
            even_count=task.form.even_length,
            even_fixed=len(task.form.fixed_even),
            lift=task.form.lift,
            target=target,
            weight=task.weight,
            moves=moves,
        )
        for task in tasks
    ]
    temperatures = np.stack([schedule(task.temperature) for task in tasks])
    found = anneal_hops(half, odd, even, walks, draws.words(len(tasks)), temperatures, threads)
    improved = []
    for row, task in enumerate(tasks):
        unreached = int(found.beyond[row])
        individual = Individual(
            found.odd[row, : task.form.odd_length].tolist(),
            found.even[row, : task.form.even_length].tolist(),
            int(found.energy[row]) - (task.weight - 1) * unreached,
            unreached,
        )
        individual.weigh(task.weight)
        improved.append(individual)
    return improved


def schedule(start: float) -> NDArray[np.int64]:
    """Geometric cooling from `start` to the end temperature: int64 fixed point, shape (STEPS,)."""
    start = max(start, END_TEMPERATURE)
    falling = start * (END_TEMPERATURE / start) ** (np.arange(STEPS) / (STEPS - 1))
    return np.round(falling * ONE).astype(np.int64)


def padded(individuals: Sequence[Individual]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The halves as two int32 tables; rows that are shorter than others are filled with valid halves."""
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
    """Exact cumulative counts up to distance `most`; calls the kernel once per pair of lengths."""
    groups: dict[tuple[int, int], list[int]] = {}
    for place, individual in enumerate(individuals):
        groups.setdefault((len(individual.odd), len(individual.even)), []).append(place)
    levels: dict[int, NDArray[np.int64]] = {}
    for places in groups.values():
        table = equality_levels(half, *padded([individuals[place] for place in places]), threads, most)
        levels.update(zip(places, table.astype(np.int64), strict=True))
    return [levels[place] for place in range(len(individuals))]
