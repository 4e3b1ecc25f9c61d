"""Latency by offered load of the networks that were simulated, as a picture within the page."""

from __future__ import annotations

import base64

from topoctl.fields import in_words
from topoctl.report.page.contents import Page
from topoctl.report.page.markup import Markup, joined, tag
from topoctl.report.plots import draw_loads, rendered


def curves(page: Page) -> Markup:
    """A curve for every network that was simulated; nothing where none was."""
    rows = [page.rows[place] for place in page.shown if page.rows[place].get("load_curve")]
    if not rows:
        return joined()
    points = [
        {**row, "routing": row["own_routing"], "traffic": "uniform", **point}
        for row in rows
        for point in row["load_curve"]
    ]
    picture = base64.b64encode(rendered(draw_loads(points), "svg")).decode()
    return tag(
        "section",
        tag("h2", "Latency by offered load"),
        tag(
            "p",
            "Simulated cycle by cycle: uniform traffic by the best routing of each network's own, up to the "
            f"{in_words('saturation_load')}.",
            class_="note",
        ),
        tag(
            "div",
            tag(
                "img",
                src=f"data:image/svg+xml;base64,{picture}",
                alt="Curves of mean latency by offered load",
            ),
            class_="wide",
        ),
    )
