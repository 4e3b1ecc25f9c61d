"""The manual pages: one a command, with all of its help, and nothing in them that roff doubts."""

import shutil
import sys

import click
import pytest

from command_lines import command_tree, examples
from processes import finish, launch
from topoctl.cli.exit_codes import EXIT_CODES
from topoctl.cli.manual import described_commands, main, manual_page, roff, write_manual

pytestmark = pytest.mark.once
TREE = {" ".join(("topoctl", *words)): command for words, command in command_tree()}
EVERY = {one.command: one for one in described_commands()}


def test_every_command_is_described_once_in_the_order_of_the_tree():
    assert [*EVERY] == [*TREE]


@pytest.mark.parametrize("name", TREE)
def test_the_page_of_a_command_names_every_option_and_example(name):
    command, page = TREE[name], manual_page(EVERY[name], tuple(EVERY.values()))
    assert page.isascii()
    words = page.replace(",", " ").split()
    for parameter in command.params:
        for spelled in parameter.opts if isinstance(parameter, click.Option) else ():
            assert (roff(spelled) in words) != parameter.hidden, spelled
    assert roff(EVERY[name].summary) in page
    assert page.count(roff("  topoctl ")) == len(examples(command))
    assert all(f".B {code}\n" in page for code in EXIT_CODES)


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
@pytest.mark.parametrize("device", ["ascii", "utf8"])
def test_roff_doubts_nothing_in_the_pages(folder, device):
    command = ["groff", "-man", f"-T{device}", "-ww", "-z", *map(str, write_manual(folder))]
    assert finish(launch(command, folder), 0).stderr == ""


def test_the_pages_are_written_by_a_command(folder):
    command = [sys.executable, "-m", "topoctl.cli.manual"]
    said = finish(launch([*command, "share/man1"], folder), 0).stderr
    assert said == f"wrote {len(TREE)} pages to share/man1\n"
    assert len([*(folder / "share/man1").glob("topoctl*.1")]) == len(TREE)


def test_wrong_folders_are_refused_in_a_line(folder, capsys):
    (folder / "file").touch()
    assert (main([]), main(["file"]), main(["file/man1"])) == (2, 1, 4)
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_a_text_is_no_request():
    assert roff(".SH x") == "\\&.SH x"
    assert roff("'it") == "\\[aq]it"
    assert roff("a\\b") == "a\\[rs]b"
