"""A word of the glossary, and where words come from."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.report.columns import COLUMNS


@dataclass(frozen=True)
class Term:
    """A word.

    Attributes:
        name: of the field, or the word itself.
        meaning: a line.
        source: that defines it; empty for what topoctl or everyone calls so.
        legend: the same in a few words, for the legend of tables where the heading is a sign.
        also: other spellings, among them options.
    """

    name: str
    meaning: str
    source: str = ""
    legend: str = ""
    also: tuple[str, ...] = ()

    @property
    def heading(self) -> str | None:
        """What tables call it."""
        return COLUMNS[self.name].heading if self.name in COLUMNS else None

    @property
    def spellings(self) -> tuple[str, ...]:
        """All that a user may ask for."""
        heading = (self.heading,) if self.heading else ()
        return (self.name, *heading, *self.also)


GRAPH_GOLF = "Graph Golf rules"
GRID = "Nakano et al. 2016"
HYPERX = "Ahn et al. 2009 (HyperX)"
EQUALITY = "Liang et al. 2022"
SLIM_FLY = "Besta & Hoefler 2014"
FLEX = "Jeon et al. 2022 (FleX)"
