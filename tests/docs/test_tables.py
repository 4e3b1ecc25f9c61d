"""The tables of the manual that records hold."""

import runpy

import pytest

from docs.console import ROOT

pytestmark = pytest.mark.once
DOCS = ROOT / "docs"


def test_every_table_of_a_page_says_what_the_records_say():
    tables = runpy.run_path(str(DOCS / "tables.py"))
    pages = {path.relative_to(DOCS): path.read_text() for path in DOCS.rglob("*.md")}
    old = [str(path) for path, page in pages.items() if tables["filled"](page) != page]
    assert not old, f"{', '.join(old)}: python docs/tables.py writes their tables again"
    placed = [place["name"] for page in pages.values() for place in tables["PLACE"].finditer(page)]
    assert sorted(placed) == sorted(tables["TABLES"])
