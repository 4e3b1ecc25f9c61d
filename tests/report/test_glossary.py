"""The glossary has every word of tables and documents; columns are named by headings or fields."""

import pytest

from topoctl.errors import InvalidParameters
from topoctl.fields import COLUMNS
from topoctl.report.glossary import TERMS, columns_named, legend_of, term_named
from topoctl.report.messages import EQUIVALENTS


def test_every_word_has_a_meaning_and_one_entry():
    assert len({term.name for term in TERMS}) == len(TERMS)
    for term in TERMS:
        assert term.meaning
        assert not term.meaning.endswith(".")


def test_a_column_is_named_by_its_field_and_its_heading():
    for column in COLUMNS.values():
        assert columns_named(column.name) == (column,)
        assert columns_named(column.heading)[0].heading == column.heading


def test_headings_that_are_no_words_are_in_the_legend():
    signs = [
        one for one in COLUMNS.values() if len(one.heading) <= 2 or one.heading in ("gap", "±95%", "ASPL")
    ]
    assert len(signs) > 10
    assert [one for one in signs if not legend_of([one])] == []
    assert legend_of([COLUMNS["rank"], COLUMNS["file"]]) == ""


def test_a_slip_is_answered_with_what_was_meant():
    with pytest.raises(InvalidParameters, match=r"'diametr' is unknown; did you mean diameter\?"):
        columns_named("rank,diametr")
    with pytest.raises(InvalidParameters, match="names no column"):
        columns_named(" , ")
    assert term_named("β") is term_named("relative-bisection") is term_named("--relative-bisection")
    assert columns_named("ALL") == ()
    assert columns_named("n,N,order") == (COLUMNS["order"],)


def test_signs_can_be_said_in_ascii():
    for one in COLUMNS.values():
        assert one.heading.translate(EQUIVALENTS).isascii()
