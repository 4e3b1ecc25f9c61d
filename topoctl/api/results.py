"""What a search or an enumeration gives to a Python program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from topoctl.runs.document import Document
from topoctl.runs.run import Finished
from topoctl.search.evaluated_networks import EvaluatedNetwork
from topoctl.study.groups import StoredGroup
from topoctl.study.runner import StoredRun


@dataclass(frozen=True, eq=False)
class Results(Sequence[EvaluatedNetwork]):
    """Networks from best to worst, each measured from scratch.

    Attributes:
        networks: each with its topology, and every number of it.
        document: what the command prints with ``--json``: what was asked for, the seed, the rows.
        run: the number of the run in the study that was named, or None.
        group: that of the group of several seeds, or None; commands call it g1, g2, ….
    """

    networks: tuple[EvaluatedNetwork, ...]
    document: Document
    run: int | None = None
    group: int | None = None

    def __len__(self) -> int:
        return len(self.networks)

    @overload
    def __getitem__(self, place: int) -> EvaluatedNetwork: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[EvaluatedNetwork, ...]: ...
    def __getitem__(self, place: int | slice) -> EvaluatedNetwork | tuple[EvaluatedNetwork, ...]:
        return self.networks[place]

    def __repr__(self) -> str:
        return f"<{len(self)} networks of {self.document['command']}, {self.document['status']}>"

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the work before it was done."""
        return bool(self.document["status"] == "interrupted")

    def to_records(self) -> list[dict[str, Any]]:
        """A dictionary a network, by the names of ``--json``; ``pandas.DataFrame`` takes the list."""
        return [dict(row) for row in self.document["results"]]


def results_of(found: Finished, networks: Sequence[EvaluatedNetwork]) -> Results:
    """Keep what a run, or a group of runs, came to, and hand it to a program.

    Raises:
        KeyboardInterrupt: Ctrl-C came before there was anything.
        Infeasible: all planned work found nothing.
        StudyError: the study was deleted meanwhile.
    """
    found.keep()
    found.refuse_nothing()
    if found.document is None:
        raise KeyboardInterrupt
    match found.stored:
        case StoredRun():
            return Results(tuple(networks), found.document, run=found.stored.id)
        case StoredGroup():
            return Results(tuple(networks), found.document, group=found.stored.id)
    return Results(tuple(networks), found.document)
