"""Hostile input of every kind, a few cases of each; ``hostile.py`` tries thousands."""

import signal

import pytest

import hostile
from properties import rest_thorough

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def alarm(monkeypatch):
    hostile.small_machine(monkeypatch)
    former = signal.getsignal(signal.SIGPROF)
    yield
    signal.signal(signal.SIGPROF, former)


@pytest.mark.parametrize("part", rest_thorough(range(6), [0]))
@pytest.mark.parametrize("kind", hostile.KINDS)
def test_whatever_it_is_asked_ends_in_one_line(kind, part):
    for number in range(5 * part, 5 * part + 5):
        case, _, fault = hostile.tried("few", kind, number)
        assert fault is None, (number, case.arguments)
