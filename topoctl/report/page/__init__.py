"""Results as one page that needs nothing else: a table, the front to point at, floors, cards, provenance.

The page is whole without its script, which only sorts, points and exchanges axes. It loads nothing, and its
own policy forbids browsers to run or load anything but what is in it, pictures included.
"""

from __future__ import annotations

from topoctl.report.page.contents import Page, Provenance, Standing
from topoctl.report.page.document import html_page

__all__ = ["Page", "Provenance", "Standing", "html_page"]
