"""The Python of the README and the docs gives what is written beside it."""

import doctest
import re

import pytest

from docs.console import PAGES, name_of

pytestmark = pytest.mark.once
FENCE = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WITH_PYTHON = [page for page in PAGES if FENCE.search(page.read_text())]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_what_is_shown_is_given(page, tmp_path, monkeypatch):
    pytest.importorskip("networkx")
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    blocks = "\n".join(block[1] for block in FENCE.finditer(page.read_text()))
    test = doctest.DocTestParser().get_doctest(blocks, {}, page.name, str(page), 0)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    printed = []
    failed = doctest.DocTestRunner(optionflags=flags).run(test, out=printed.append).failed
    assert not failed, "".join(printed)


def test_there_is_python_to_be_run():
    assert {name_of(page) for page in WITH_PYTHON} >= {"README.md", "docs/python/index.md"}
