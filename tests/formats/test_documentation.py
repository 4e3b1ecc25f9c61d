"""The page of formats names all of them, as their records do."""

from pathlib import Path

import pytest

from topoctl.formats import FORMATS

pytestmark = pytest.mark.once

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"


def rows():
    """The rows of the page's table, from the records."""
    for known in FORMATS.values():
        suffixes = " ".join(f"`{suffix}`" for suffix in known.suffixes)
        holds = ", ".join(sorted(known.holds)) or "–"
        title = known.title if known.is_read else f"{known.title} (written only)"
        yield f"| `{known.name}` | {title} | {suffixes} | {holds} | {known.remark} |"


def test_the_page_lists_every_format_as_its_record_says():
    lines = PAGE.read_text().splitlines()
    expected = list(rows())
    found = [line for line in lines if line.startswith("| `")]
    assert found == expected, "the table should be:\n" + "\n".join(expected)
