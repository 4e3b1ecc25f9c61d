"""The colours of links, and how many links have each: by their length, or by their kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.families.drawing import Drawing
from topoctl.report.plots.style import FAINT, PALETTE, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR_INCHES, LABEL_INCHES, NAME_INCHES = 0.12, 0.34, 0.17
"""The width of a bar, of a bar with its number, and the height of a bar with a name."""

NAMED_COLORS = PALETTE[:-1]
"""Of kinds; where there are more kinds, their colours run from dark to light."""


@dataclass(frozen=True, eq=False)
class Legend:
    """What the colours of the links mean.

    Attributes:
        values: of every link its length, 1 and more, or the number of its kind, 0 and more; int64, (size,).
        names: of the kinds; empty where values are lengths.
        unit: what lengths count.
        remark: what else the title says of the lines.
        scale: the length at 0, and how much longer links are for 1 more, in that unit.
        own: the colours of the kinds, where their drawing has them.
    """

    values: NDArray[np.int64]
    names: tuple[str, ...] = ()
    unit: str = ""
    remark: str = ""
    scale: tuple[float, float] = (0, 1)
    own: tuple[str, ...] = ()

    @classmethod
    def of_lengths(
        cls, lengths: NDArray[np.int64], unit: str, remark: str = "", scale: tuple[float, float] = (0, 1)
    ) -> Legend:
        """Colour links by their lengths, int64, shape (size,)."""
        return cls(lengths, (), unit, remark, scale)

    @classmethod
    def of_kinds(cls, drawing: Drawing, links: NDArray[np.int64]) -> Legend:
        """Colour links, int64, shape (size, 2), by kind; without kinds, by their hop on a circle."""
        remark = "" if drawing.marked is None else f"; bold: those of router {drawing.marked}"
        if drawing.kinds is None:
            ahead = abs(links[:, 1] - links[:, 0])
            hops = np.minimum(ahead, len(drawing.positions) - ahead)
            return cls.of_lengths(hops, "hop from number to number", remark)
        there, kinds = np.unique(drawing.kinds.of(links), return_inverse=True)
        names = tuple(drawing.kinds.names[kind] for kind in there.tolist()) or drawing.kinds.names[:1]
        own = tuple(drawing.kinds.colors[kind] for kind in there.tolist()) if drawing.kinds.colors else ()
        return cls(kinds.astype(np.int64), names, remark=remark, own=own)

    @property
    def longest(self) -> int:
        """The longest link, at least 1."""
        return int(self.values.max(initial=1))

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Links of each kind: int64, shape (kinds,)."""
        return np.bincount(self.values, minlength=len(self.names))

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Links in the order of drawing, int64, shape (links,): short or rare ones last, on top."""
        rank = -self.counts[self.values] if self.names else -self.values
        return np.argsort(rank, kind="stable")

    @property
    def margin(self) -> float:
        """Inches to the left of :meth:`draw`, for the names of kinds or the numbers of an axis."""
        return 1.6 if self.names else 0.85

    @property
    def height(self) -> float:
        """Inches that :meth:`draw` needs at least."""
        return NAME_INCHES * len(self.names)

    def colors(self, links: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the colours of some links, int64, shape (links,): float64, shape (links, 4)."""
        values = self.values[links]
        return self.kind_colors[values] if self.names else colors_of(values, self.longest)

    @cached_property
    def kind_colors(self) -> NDArray[np.float64]:
        """One colour a kind: float64, shape (kinds, 4)."""
        from matplotlib.colors import to_rgba_array

        if len(self.names) > len(NAMED_COLORS):
            return colors_of(np.arange(1, len(self.names) + 1), len(self.names))
        colors: NDArray[np.float64] = to_rgba_array(self.own or NAMED_COLORS[: len(self.names)])
        return colors

    def draw(self, axes: Axes, width: float) -> None:
        """Draw the number of links of each colour, on axes of this size in inches."""
        if self.names:
            self._draw_kinds(axes)
        else:
            self._draw_lengths(axes, width)

    def _draw_kinds(self, axes: Axes) -> None:
        bars = axes.barh(range(len(self.names)), self.counts, height=0.62, color=self.kind_colors)
        axes.bar_label(bars, _counted(self.counts.tolist()), fontsize=8, padding=3)
        axes.set_yticks(range(len(self.names)), self.names)
        axes.set_ylim(max(len(self.names), 4) - 0.5, -0.6)
        axes.set_xlim(0, 1.22 * max(1, int(self.counts.max())))
        axes.tick_params(left=False, bottom=False, labelbottom=False)
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.set_title(f"links{self.remark}", loc="left", fontsize=9)

    def _draw_lengths(self, axes: Axes, width: float) -> None:
        longest, (zero, one) = self.longest, self.scale
        step = -(-longest // max(1, int(width / BAR_INCHES)))
        starts = np.arange(1, longest + 1, step)
        counts = np.bincount((self.values - 1) // step, minlength=len(starts))
        middles = starts + (step - 1) / 2
        bars = axes.bar(
            zero + one * middles, counts, width=0.8 * one * step, color=colors_of(middles, longest)
        )
        if len(starts) * LABEL_INCHES <= width:
            axes.bar_label(bars, _counted(counts.tolist()), fontsize=8, padding=2)
        axes.set_xlim(zero + one * (1 - 0.6 * step), zero + one * (longest + 0.6 * step))
        axes.margins(y=0.2)
        axes.set_ylabel("links")
        axes.set_xlabel(self.unit)
        axes.set_title(self.remark.removeprefix("; "), loc="left", fontsize=9)
        axes.spines["left"].set_color(FAINT)
        whole_numbers(axes, x=self.scale == (0, 1), y=True)


def _counted(counts: Sequence[int]) -> list[str]:
    """Return counts as text, thousands marked, nothing for none."""
    return [f"{count:,}" if count else "" for count in counts]


def colors_of(lengths: NDArray[np.floating | np.integer], longest: int) -> NDArray[np.float64]:
    """Return one colour a length, dark blue for 1 to orange for the longest: float64, shape (lengths, 4)."""
    from matplotlib import colormaps

    colors: NDArray[np.float64] = np.asarray(colormaps["plasma"](0.82 * (lengths - 1) / max(longest - 1, 1)))
    return colors
