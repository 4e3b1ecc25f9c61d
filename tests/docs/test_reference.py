"""The generated reference: a page a command with all its options, and all words and documents."""

import doctest
import importlib.util
import json
import re
import sys
from pathlib import Path

import click
import pytest

from command_lines import command_tree
from topoctl.cli.exit_codes import EXIT_CODES
from topoctl.fields import COLUMNS
from topoctl.report.glossary import TERMS
from topoctl.report.schema import results_schema
from topoctl.report.schema.documents import DOCUMENTS
from topoctl.report.schema.parameters import ASKED
from topoctl.report.schema.rows import ROWS

pytestmark = pytest.mark.once
DOCS = Path(__file__).parents[2] / "docs"
TREE = {"-".join(("topoctl", *words)): command for words, command in command_tree()}


@pytest.fixture(scope="module")
def reference():
    """The extension, which Sphinx finds by its folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS / "_ext")
        spec = importlib.util.spec_from_file_location("reference", DOCS / "_ext" / "reference.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        restructured = sys.modules.pop("_restructured")
    assert not doctest.testmod(module).failed + doctest.testmod(restructured).failed
    return module


@pytest.fixture(scope="module")
def pages(reference):
    return reference.pages()


def test_every_command_has_a_page_that_a_contents_names(pages):
    made = {name.removeprefix("commands/").removesuffix(".rst") for name in pages if "commands/" in name}
    assert made == {*TREE}
    listed = [name for page in pages.values() for name in re.findall(r"^   (topoctl-[a-z-]+)$", page, re.M)]
    assert sorted(listed) == sorted({*TREE} - {"topoctl"})


@pytest.mark.parametrize("name", TREE)
def test_the_page_of_a_command_names_its_options_and_no_hidden_ones(pages, name):
    told = re.findall(r"^\.\. option:: (.+)$", pages[f"commands/{name}.rst"], re.MULTILINE)
    shown = {word.strip(",") for line in told for word in line.split() if word.startswith("-")}
    options = [one for one in TREE[name].params if isinstance(one, click.Option)]
    assert shown - {"-h", "--help"} == {word for one in options if not one.hidden for word in one.opts}


def test_all_words_documents_fields_and_exit_codes_are_told(pages):
    words, documents = pages["words.rst"], pages["documents.rst"]
    assert all(f"\n   {term.name}\n" in words for term in TERMS)
    assert all(f":term:`{name}`" in words for name in COLUMNS)
    assert all(command in documents for command in DOCUMENTS)
    for row in ROWS.values():
        assert all(f":term:`{name}`" in documents for name in (*row.required, *row.optional))
        assert all(f"``{name}``" in documents for name in row.own)
    assert all(f"``{name}``" in documents for name in ASKED)
    assert all(f"``{code}``" in pages["exit-codes.rst"] for code in EXIT_CODES)
    assert json.loads(pages["results-1.schema.json"]) == results_schema()


def test_pages_that_have_not_changed_are_left(reference, tmp_path):
    reference.write_pages(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    (tmp_path / "words.rst").write_text("")
    reference.write_pages(tmp_path)
    changed = [path.name for path, time in before.items() if path.stat().st_mtime_ns != time]
    assert changed == ["words.rst"]


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        ("a*b_ `x y` |", r"a\*b\_ \ ``x y``\  \|"),
        ("--k, and --n", r"\ ``--k``\ , and \ ``--n``\ "),
        ("a\\b", r"a\\b"),
    ],
)
def test_plain_text_is_no_markup(reference, plain, told):
    assert reference.text(plain) == told.rstrip(" ")
