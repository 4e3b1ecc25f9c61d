"""The commands that the README and the docs name: they are there, with these options, and all are named."""

import re

from command_lines import command_tree, unknown_options
from docs.console import PAGES, name_of, steps

NAMED = re.compile(r"`(topoctl [a-z][^`]*)`")


def lines_of(page):
    """The command lines of a page: in its console blocks, and in its sentences."""
    text = page.read_text()
    shown = (step.command.replace("\\\n", " ") for step in steps(text))
    return [*NAMED.findall(text), *(command for command in shown if command.startswith("topoctl "))]


def test_every_option_that_is_named_is_one_of_its_command():
    named = {(name_of(page), line) for page in PAGES for line in lines_of(page)}
    assert len(named) > 20
    assert not [(page, line) for page, line in named if unknown_options(line)]


def test_every_command_is_named():
    text = " ".join(line for page in PAGES for line in lines_of(page))
    assert not [words for words, _ in command_tree() if f"topoctl {' '.join(words)}".strip() not in text]
