"""A network as it is wired: the links that no plan has in red."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.families.drawing import Drawing, LinkKinds
from topoctl.report.plots.network import draw_network
from topoctl.report.plots.save import save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.topology import Topology
    from topoctl.wiring.checking import Check

PLANNED, WRONG, LOST = ("as planned", "#b8bec6"), ("in no plan", "#d62728"), ("missing", "#1f77b4")
"""The kinds of links, and their colours: those as planned stand back."""


def draw_check(checked: Check, shown: Topology, place: Drawing, path: Path | None = None) -> Figure:
    """Draw the routers of a plan as its picture has them, linked as they are, and the links that are missing.

    Args:
        checked: what was found.
        shown: the routers, with all links that are planned or found.
        place: where the routers are drawn.
        path: the picture to write, SVG, PNG or PDF by suffix; None for none.

    Raises:
        InvalidParameters: another suffix.
        FormatError: the picture has no folder.
    """
    figure = draw_network(shown, _marked(place, checked.wrong, checked.lost))
    if path is not None:
        save_figure(figure, path)
    return figure


def _marked(place: Drawing, wrong: NDArray[np.int64], lost: NDArray[np.int64]) -> Drawing:
    """The routers in their places, and the links told apart by what is wrong with them."""
    order = len(place.positions)

    def kinds(links: NDArray[np.int64]) -> NDArray[np.int64]:
        ends = np.sort(links.astype(np.int64), axis=1) @ [order, 1]
        return np.isin(ends, wrong @ [order, 1]) + 2 * np.isin(ends, lost @ [order, 1])

    names, colors = zip(PLANNED, WRONG, LOST, strict=True)
    return replace(place, kinds=LinkKinds(names, kinds, colors), marked=None)
