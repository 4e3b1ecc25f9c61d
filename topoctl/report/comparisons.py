"""A paper's table or figure beside ours: the rows of a comparison, and the figure drawn again."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from topoctl.errors import InvalidParameters
from topoctl.papers.comparisons import ComparedValue, Comparison, Picture, comparisons
from topoctl.report.plots.charts import Bar, Series, Style, draw_bars, draw_curves
from topoctl.report.plots.loads import draw_loads
from topoctl.runs.document import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def comparison_row(comparison: Comparison) -> Row:
    """Return a comparison in a line."""
    return {
        "name": comparison.name,
        "title": comparison.title,
        "source": comparison.source,
        "minutes": comparison.minutes,
        "note": comparison.note,
        "networks": comparison.subjects,
    }


def compared_row(value: ComparedValue) -> Row:
    """Return a value that a paper prints or draws, with ours."""
    return {
        "comparison": value.comparison,
        "label": value.label,
        "spec": value.spec,
        "x": value.x,
        "quantity": value.quantity,
        "published": None if value.published is None else _json_number(value.published),
        "ours": value.ours.value,
        "ours_at_least": value.ours.at_least,
        "ours_at_most": value.ours.at_most,
        "equal": None if value.published is None else value.ours.agrees(value.published),
        "remark": value.remark,
    }


def _json_number(printed: Decimal) -> int | float:
    """Return a printed number for JSON."""
    return int(printed) if printed == printed.to_integral_value() else float(printed)


def picture_of(chosen: Comparison) -> Picture:
    """Return how a figure is drawn.

    Raises:
        InvalidParameters: it is a table.
    """
    if chosen.picture is None:
        figures = next(name for name, known in comparisons().items() if known.picture)
        raise InvalidParameters(f"{chosen.name} is a table, which has no picture; expected such as {figures}")
    return chosen.picture


def draw_comparison(chosen: Comparison, rows: Sequence[Row]) -> Figure:
    """Draw a figure of a paper.

    Args:
        chosen: the figure.
        rows: its compared values.

    Raises:
        InvalidParameters: it is a table.
    """
    picture = picture_of(chosen)
    styles: dict[str, Style] = {curve.label: curve.style for curve in chosen.curves}
    shown = {curve.label: curve.quantities for curve in chosen.curves if curve.quantities}
    drawn = [
        row
        for row in rows
        if row["quantity"] in shown.get(row["label"], chosen.quantities)
        and (row["ours"] is not None or picture.kind == "loads")
    ]
    if picture.kind == "loads":
        return draw_loads([_point_row(row) for row in drawn if row["quantity"] == "latency"], chosen.title)
    if picture.kind == "bars":
        bars = [Bar(row["label"], row["ours"], row["published"]) for row in drawn]
        return draw_bars(bars, y_label=picture.y_label, title=chosen.title)
    plain: Style = "computed" if picture.kind == "curves" else "points"
    series = []
    for label, quantity in dict.fromkeys((row["label"], row["quantity"]) for row in drawn):
        own = [row for row in drawn if (row["label"], row["quantity"]) == (label, quantity)]
        name = f"{label}, {quantity.replace('_', ' ')}" if len(chosen.quantities) > 1 else label
        style = styles.get(label, plain)
        series.append(Series.of_rows(name, own, "x", "ours", plain if style == "computed" else style))
        series.append(Series.of_rows(name, own, "x", "published", "paper"))
    return draw_curves(
        [*[one for one in series if len(one.x)], *_trend_lines(picture, drawn)],
        x_label=picture.x_label,
        y_label=picture.y_label,
        title=chosen.title,
        logarithmic=picture.logarithmic,
        bounds=picture.bounds,
    )


def _point_row(row: Row) -> Row:
    """Return the row that `topoctl simulate` would have of a latency; a saturated network has none."""
    saturated = row["ours"] is None
    return {
        "spec": row["label"],
        "file": None,
        "routing": "",
        "traffic": "",
        "offered_load": row["x"],
        "latency": row["ours"],
        "latency_half_width": 0 if saturated else row["ours_at_most"] - row["ours"],
        "saturated": saturated,
    }


def _trend_lines(picture: Picture, rows: Sequence[Row]) -> list[Series]:
    """Return the straight lines that a paper draws through its points, from the first of ours to the last."""
    ends = [min(row["x"] for row in rows), max(row["x"] for row in rows)]
    return [
        Series(trend.label, ends, [trend.slope * x + trend.intercept for x in ends], "bound")
        for trend in picture.trends
    ]
