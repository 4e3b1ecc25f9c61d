"""What a search by populations holds between two epochs, in memory and as it is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from deap import base
from numpy.typing import NDArray

from topoctl.search.draws import Draws
from topoctl.search.protocol import SearchState

Kinds = tuple[tuple[int, ...], tuple[int, ...]]
"""The generators of a network: odd and even halves of Equality, or pairs and involutions of a group."""


class Fitness(base.Fitness):  # type: ignore[misc]
    """Two numbers, both minimised, the first before the second."""

    weights = (-1.0, -1.0)


@dataclass
class Individual:
    """A network in the hands of the operators.

    Attributes:
        generators: of both kinds; fixed ones stand first.
        score: two integers from which the fitness follows; what they are, each kind of network says.
        fitness: DEAP's; invalid until it is known, and of a network that is not connected.
    """

    generators: tuple[list[int], list[int]]
    score: tuple[int, int] = (0, 0)
    fitness: Fitness = field(default_factory=Fitness, compare=False)

    def copy(self) -> Individual:
        """Return a copy without fitness."""
        first, second = self.generators
        return Individual(([*first], [*second]), self.score)

    @property
    def key(self) -> Kinds:
        """Equal for equal generators."""
        first, second = self.generators
        return tuple(sorted(first)), tuple(sorted(second))


@dataclass
class Island:
    """One population.

    Attributes:
        form: its place in the list of forms.
        weight: what a router beyond the target diameter costs its members.
        members: fittest first.
    """

    form: int
    weight: int
    members: list[Individual]


@dataclass(frozen=True)
class Leader:
    """A connected network with its exact score.

    Attributes:
        form: its place in the list of forms.
        generators: of both kinds, each ascending.
        diameter: hops.
        reach: sum of the distances from router 0.
    """

    form: int
    generators: Kinds
    diameter: int
    reach: int

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Leader:
        """Return the leader that :meth:`asdict` wrote."""
        first, second = value["generators"]
        return cls(**{**value, "generators": (tuple(first), tuple(second))})


@dataclass
class PopulationState:
    """All islands and what they have found.

    Attributes:
        draws: the one source of randomness.
        islands: the populations.
        leaders: the best distinct networks, best first.
        uphill: for every form, the mean rise of the energy between neighbours by weight, where temperatures
            are counted in it.
        epoch: epochs done.
        exchanges: networks scored within annealing.
        scored: networks scored exactly, by all their distances.
        stale: epochs since the best network last improved.
        trace: where it improved: networks scored by then, its diameter, its reach, its routers.
    """

    draws: Draws
    islands: list[Island] = field(default_factory=list)
    leaders: list[Leader] = field(default_factory=list)
    uphill: list[dict[int, float]] = field(default_factory=list)
    epoch: int = 0
    exchanges: int = 0
    scored: int = 0
    stale: int = 0
    trace: list[list[int]] = field(default_factory=list)

    def stored(self) -> SearchState:
        """Return plain arrays and JSON values."""
        members = [member for island in self.islands for member in island.members]
        kinds = [[member.generators[kind] for member in members] for kind in (0, 1)]
        return SearchState(
            epoch=self.epoch,
            evaluations=self.exchanges + self.scored,
            arrays={
                "first": padded(kinds[0]),
                "second": padded(kinds[1]),
                "scores": np.array([member.score for member in members], dtype=np.int64).reshape(-1, 2),
                "sizes": np.array([len(island.members) for island in self.islands], dtype=np.int64),
            },
            notes={
                "draws": self.draws.state,
                "islands": [[island.form, island.weight] for island in self.islands],
                "leaders": [asdict(leader) for leader in self.leaders],
                "uphill": [sorted(changes.items()) for changes in self.uphill],
                "exchanges": self.exchanges,
                "scored": self.scored,
                "stale": self.stale,
                "trace": self.trace,
            },
        )

    @classmethod
    def restored(
        cls,
        state: SearchState,
        lengths: Sequence[tuple[int, int]],
        fitness: Callable[[Individual, int], tuple[float, float]],
    ) -> PopulationState:
        """Return the state that :meth:`stored` wrote.

        Args:
            state: read from a study.
            lengths: generators of each kind, by form.
            fitness: of a member of an island of some weight.
        """
        notes = state.notes
        rows = zip(*(state.arrays[name].tolist() for name in ("first", "second", "scores")), strict=True)
        islands = []
        for (form, weight), size in zip(notes["islands"], state.arrays["sizes"].tolist(), strict=True):
            island = Island(form, weight, [])
            for _ in range(size):
                first, second, (one, other) = next(rows)
                kinds = first[: lengths[form][0]], second[: lengths[form][1]]
                member = Individual(kinds, (one, other))
                member.fitness.values = fitness(member, weight)
                island.members.append(member)
            islands.append(island)
        return cls(
            draws=Draws(notes["draws"]),
            islands=islands,
            leaders=[Leader.from_json(leader) for leader in notes["leaders"]],
            uphill=[{int(weight): change for weight, change in changes} for changes in notes["uphill"]],
            epoch=state.epoch,
            exchanges=notes["exchanges"],
            scored=notes["scored"],
            stale=notes["stale"],
            trace=[*notes["trace"]],
        )


def padded(rows: Sequence[Sequence[int]], filler: int = 0) -> NDArray[np.int32]:
    """Return rows of different lengths as a table, int32, shape (rows, longest)."""
    table = np.full((len(rows), max(map(len, rows), default=0)), filler, dtype=np.int32)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table
