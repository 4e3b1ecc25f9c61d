"""The state of the search in memory, and as the arrays and JSON values that are stored."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topoctl.search.cayley.forms import Form
from topoctl.search.cayley.leaders import CayleyLeader
from topoctl.search.cayley.population import Individual
from topoctl.search.draws import Draws
from topoctl.search.protocol import SearchState


@dataclass
class CayleyState:
    """All populations and what they have found.

    Attributes:
        draws: the one source of randomness.
        members: of all populations, in no order that matters.
        leaders: best first.
        epoch: epochs done.
        exchanges: networks scored within annealing.
        scored: networks scored exactly, by all their distances.
        stale: epochs since the best network last improved.
        trace: where it improved: networks scored by then, its diameter, its reach, its order.
    """

    draws: Draws
    members: list[Individual]
    leaders: list[CayleyLeader]
    epoch: int = 0
    exchanges: int = 0
    scored: int = 0
    stale: int = 0
    trace: list[list[int]] = field(default_factory=list)

    def note_best(self) -> None:
        """Add the best network to the trace where it is another score than the last there."""
        best = self.leaders[0]
        score = [best.diameter, best.reach, best.order]
        if not self.trace or self.trace[-1][1:] != score:
            self.trace.append([self.exchanges + self.scored, *score])

    def stored(self) -> SearchState:
        """As plain arrays and JSON values."""
        scores = [(member.form, member.diameter, member.reach) for member in self.members]
        return SearchState(
            epoch=self.epoch,
            evaluations=self.exchanges + self.scored,
            arrays={
                "generators": padded([member.generators for member in self.members]),
                "members": np.array(scores, dtype=np.int64).reshape(-1, 3),
            },
            notes={
                "draws": self.draws.state,
                "leaders": [leader.to_json() for leader in self.leaders],
                "exchanges": self.exchanges,
                "scored": self.scored,
                "stale": self.stale,
                "trace": self.trace,
            },
        )

    @classmethod
    def restored(cls, state: SearchState, forms: list[Form]) -> CayleyState:
        """The inverse of :meth:`stored`."""
        notes = state.notes
        rows = zip(state.arrays["generators"].tolist(), state.arrays["members"].tolist(), strict=True)
        return cls(
            draws=Draws(notes["draws"]),
            members=[
                Individual(form, tuple(row[: forms[form].length]), diameter, reach)
                for row, (form, diameter, reach) in rows
            ],
            leaders=[CayleyLeader.from_json(leader) for leader in notes["leaders"]],
            epoch=state.epoch,
            exchanges=notes["exchanges"],
            scored=notes["scored"],
            stale=notes["stale"],
            trace=[*notes["trace"]],
        )


def padded(rows: list[tuple[int, ...]]) -> NDArray[np.int32]:
    """Generators as a table, int32, shape (networks, longest), filled up with zeros."""
    table = np.zeros((len(rows), max(map(len, rows), default=0)), dtype=np.int32)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table
