"""What a search or an enumeration gives to a Python program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from topoctl.errors import TopoctlError
from topoctl.runs.document import Document
from topoctl.runs.run import Finished
from topoctl.search.evaluated_networks import EvaluatedNetwork
from topoctl.study.groups import StoredGroup
from topoctl.study.runner import StoredRun

if TYPE_CHECKING:
    import pandas


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
        ended = ", interrupted" if self.interrupted else ""
        what = "1 network" if len(self) == 1 else f"{len(self)} networks"
        return f"<{what} of {self.document['command']}{ended}>"

    def _repr_html_(self) -> str:
        """The table that notebooks show."""
        from topoctl.report.page.listing import html_table

        return html_table(self.to_records())

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the work before it was done."""
        return bool(self.document.get("status") == "interrupted")

    def to_records(self) -> list[dict[str, Any]]:
        """A dictionary a network, by the names of ``--json``; ``pandas.DataFrame`` takes the list."""
        return [dict(row) for row in self.document["results"]]

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a data frame, a row a network.

        Raises:
            TopoctlError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise TopoctlError("to_pandas needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.to_records())


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
