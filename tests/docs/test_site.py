"""The pages of the manual: every family has one, and links that Sphinx does not follow lead somewhere."""

import re

import pytest

from docs.console import ROOT
from topoctl.families import FAMILIES, topology_from_spec

pytestmark = pytest.mark.once

MARK = re.compile(r"# (?P<title>.+)\n\n<!-- family (?P<name>\w+)(?:: (?P<shown>.+))? -->\n(\n## |$)")
LINK = re.compile(r"\]\(([\w./-]+)[#)]")


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_every_family_has_a_page_of_its_record(family):
    page = ROOT / "docs" / "families" / f"{family.name}.md"
    assert page.is_file(), f"docs/families/{family.name}.md is missing: CONTRIBUTING says what is in it"
    mark = MARK.match(page.read_text())
    assert mark
    assert (mark["title"], mark["name"]) == (family.title, family.name)
    if mark["shown"]:
        assert topology_from_spec(mark["shown"]).family == family.name


def test_every_page_of_a_family_is_of_one_that_is_there():
    pages = {page.stem for page in (ROOT / "docs" / "families").glob("*.md")}
    assert pages == {*FAMILIES, "index"}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_of_the_repository_lead_to_files(name):
    missing = [link for link in LINK.findall((ROOT / name).read_text()) if not (ROOT / link).exists()]
    assert not missing
