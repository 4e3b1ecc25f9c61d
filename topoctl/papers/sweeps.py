"""Tables and figures of Nakano et al. (2016), as TOML files: which cells they have, and what is printed."""

from __future__ import annotations

from functools import cache
from typing import Literal

from pydantic import Field, model_validator

from topoctl.definitions import definition_named, parse, texts
from topoctl.errors import Infeasible, InvalidParameters, quoted
from topoctl.layout import KINDS, Kind, Layout
from topoctl.papers.presets import Strict
from topoctl.search.annealing.request import TableCell
from topoctl.search.enumeration.windows import OPEN, Window, parse_window

Quantity = Literal["diameter", "aspl_lower_bound", "length_aspl_bound", "layout_aspl_bound", "well_balanced"]
"""Fields of a row that the paper prints values of."""


class CellBlock(Strict):
    """Cells on one layout: every degree with every length, or these pairs."""

    layout: Kind
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    degrees: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()

    @property
    def router_layout(self) -> Layout:
        """Where the routers stand."""
        return Layout(self.layout, self.width, self.height)

    @property
    def links(self) -> list[tuple[int, int]]:
        """K and L of every cell."""
        return [*self.pairs, *((degree, length) for degree in self.degrees for length in self.lengths)]


class PrintedValues(Strict):
    """Printed values of one quantity.

    Attributes:
        quantity: a field of the rows.
        values: one for every length, or one for all of the cells.
        place: where they are printed.
        layout, degrees, lengths: the cells that the values are of; all cells, where not given.
        remark: why our value is another: a misprint.
    """

    quantity: Quantity
    values: tuple[bool | int | float, ...] = Field(min_length=1)
    place: str
    layout: Kind | None = None
    degrees: tuple[int, ...] | None = None
    lengths: tuple[int, ...] | None = None
    remark: str | None = None

    @model_validator(mode="after")
    def _one_for_every_length(self) -> PrintedValues:
        if len(self.values) not in (1, len(self.lengths or ())):
            raise ValueError(f"{len(self.values)} values: expected 1, or one for every length")
        return self

    def value(self, layout: Layout, degree: int, length: int) -> bool | float | None:
        """The printed value of a cell, or None where none of these is."""
        if self.layout not in (None, layout.kind) or (self.degrees and degree not in self.degrees):
            return None
        if self.lengths is not None and length not in self.lengths:
            return None
        return self.values[0 if len(self.values) == 1 else (self.lengths or ()).index(length)]


class Sweep(Strict):
    """A table or a figure.

    Attributes:
        name: of its file.
        title, source: what it is and where.
        objective: what its networks are searched for; bounds need no search.
        picture: a table, curves against the length limit or the degree, or the well-balanced pairs.
        notes: printed below the rows.
        blocks: its cells.
        printed_values: what the paper prints.
    """

    name: str
    title: str
    source: str
    objective: Literal["diameter", "aspl", "bounds"]
    picture: Literal["table", "length_limit", "degree", "pairs"]
    notes: tuple[str, ...] = ()
    blocks: tuple[CellBlock, ...] = Field(min_length=1)
    printed_values: tuple[PrintedValues, ...] = ()

    def printed(
        self, quantity: Quantity, layout: Layout, degree: int, length: int
    ) -> tuple[bool | float, PrintedValues] | None:
        """The paper's value of a quantity in a cell, and the values among which it is printed; or None."""
        for values in self.printed_values:
            value = values.value(layout, degree, length)
            if values.quantity == quantity and value is not None:
                return value, values
        return None

    def cells(self) -> list[TableCell]:
        """All cells, with their published diameters."""
        found = []
        for block in self.blocks:
            for degree, length in block.links:
                printed = self.printed("diameter", block.router_layout, degree, length)
                published = int(printed[0]) if printed else None
                found.append(TableCell(block.layout, block.width, block.height, degree, length, published))
        return found


@cache
def sweeps() -> dict[str, Sweep]:
    """Every sweep, by name.

    Raises:
        FormatError: not TOML, or values that are missing, unknown or of a wrong kind.

    Example:
        >>> list(sweeps())
        ['fig4', 'fig5', 'fig8', 'fig9', 'scaling', 'table2', 'table4']
    """
    return {name: parse("sweep", name, text, Sweep) for name, text in texts("sweeps").items()}


def sweep(name: str) -> Sweep:
    """Find a sweep by its name, in any case.

    Raises:
        InvalidParameters: there is none of that name.
    """
    return definition_named("sweep", name, sweeps())


def restricted(cells: list[TableCell], text: str) -> list[TableCell]:
    """The cells within ranges of K and L, and of a layout.

    Args:
        cells: of a sweep.
        text: such as ``k=3..5,l=10``; a range is a..b, a.., ..b or a. Or ``layout=diagrid,l=10``.

    Raises:
        InvalidParameters: the text is no such list.
        Infeasible: no cell is within.

    Example:
        >>> [cell.name for cell in restricted(sweep("table2").cells(), "k=4..5,l=16")]
        ['k4-l16', 'k5-l16']
    """
    windows: dict[str, Window] = {}
    kinds = set(KINDS)
    for part in text.split(","):
        name, _, between = part.strip().partition("=")
        if name.casefold() == "layout" and between in kinds:
            kinds &= {between}
            continue
        try:
            window = parse_window(name, between)
        except InvalidParameters:
            window = None
        if window is None or name.casefold() not in ("k", "l") or name.casefold() in windows:
            raise InvalidParameters(
                f"cells {quoted(text)}: expected ranges of k and l, such as k=3..5,l=10..12"
            )
        windows[name.casefold()] = window
    degrees, lengths = windows.get("k", OPEN), windows.get("l", OPEN)
    found = [
        cell
        for cell in cells
        if cell.layout in kinds and degrees.holds(cell.degree) and lengths.holds(cell.length_limit)
    ]
    if not found:
        raise Infeasible(f"no cell has {text}; expected one of k {cells[0].degree}..{cells[-1].degree}")
    return found
