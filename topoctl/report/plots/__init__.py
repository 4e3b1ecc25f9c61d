"""The drawing room: topologies, annealing traces and curves of bounds as figures of matplotlib.

Every ``draw_`` function returns a Figure that no global state knows of; matplotlib is imported when one is
drawn, not before.
"""

from __future__ import annotations

from topoctl.report.plots.charts import Series, draw_curves
from topoctl.report.plots.checked import draw_check
from topoctl.report.plots.loads import draw_course, draw_loads
from topoctl.report.plots.network import draw_network
from topoctl.report.plots.save import picture_format, rendered, save_figure
from topoctl.report.plots.scatter import Quantities, draw_scatter
from topoctl.report.plots.style import set_title
from topoctl.report.plots.trace import draw_trace, draw_traces

__all__ = [
    "Quantities",
    "Series",
    "draw_check",
    "draw_course",
    "draw_curves",
    "draw_loads",
    "draw_network",
    "draw_scatter",
    "draw_trace",
    "draw_traces",
    "picture_format",
    "rendered",
    "save_figure",
    "set_title",
]
