"""The console blocks of README.md and docs/: their commands run, and what they print beside what is written.

Written anew with what is printed now: ``python tests/docs/console.py README.md``, and a look at ``git diff``.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import chdir
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from click.testing import CliRunner

from topoctl.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TERMINAL = {"COLUMNS": "80"}
PATIENCE = 120  # seconds after which a hanging command fails a test
SHELL = frozenset("|<>&;`$")
"""What a command alone has not."""
SAYS_ITS_CODE = ' || echo "exit code $?"'

FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRESS = re.compile(
    r"([^:]+: )?\d+\.\d(/\d+\.\d)? s(, .*)?$|.+: building its graph$|.+ structures looked at, "
    r"|planning (the search|search \d+/|cell \d+/)|cell \d+/\d+ |round \d+, search \d+/|listing \w+$"
    r"|measured [\d,]+ networks(, measuring .*)?$|ranking [\d,]+ networks?$"
    r"|choosing searches of \w+$|looking for nearer networks of "
    r"|.+ (sources|routers|partitions|trials|destinations|cycles|points) \(\d+%\)$|measuring network \d+ of "
)
"""Lines of `topoctl.report.progress`, which come on slow machines alone."""
TIMED = ("started", "seconds")  # columns
TIMES = re.compile(r"\b\d+\.\d+ s\b")


def name_of(page):
    """A page as a person calls it."""
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Step:
    """A command of a console block, and the lines that it is said to print."""

    line: int
    command: str
    printed: list[str]


def steps(text):
    """Every command of the console blocks of a page, in its order."""
    found = []
    for block in FENCE.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        for number, line in enumerate(block[1].splitlines(), first):
            if line.startswith("$ "):
                found.append(Step(number, line[2:], []))
            elif line.startswith("> ") and found[-1].command.endswith("\\"):
                found[-1] = replace(found[-1], command=f"{found[-1].command}\n{line[2:]}")
            else:
                found[-1].printed.append(line)
    return found


def run(command, folder):
    """What a shell shows of a command in 80 columns, standard error among it; without lines of progress."""
    asked = command.removesuffix(SAYS_ITS_CODE)
    words = shlex.split(asked.replace("\\\n", " "), comments=True)
    if words[0] == "topoctl" and not SHELL.intersection(asked):
        printed, code = _run_here(words[1:], folder)
        printed += f"exit code {code}\n" if code and asked != command else ""
    else:
        printed = _run_by_shell(command, folder)
    return [line.rstrip() for line in printed.splitlines() if not PROGRESS.match(line)]


def _run_here(arguments, folder):
    """By this process, which has all modules already: to start another takes longer than most commands."""
    with chdir(folder):
        ended = CliRunner(env=TERMINAL).invoke(main, arguments)
    return ended.output, ended.exit_code


def _run_by_shell(command, folder):
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | TERMINAL | {"PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=PATIENCE,
    ).stdout


def without_times(lines):
    """The lines without seconds and dates, and without the spaces that depend on how long those are."""
    kept = []
    for is_table, table in groupby(lines, lambda line: "  " in line):
        heading, rows = [], [re.split(r"  +", line.strip()) for line in table]
        for cells in rows:
            heading = cells if is_table and not heading else heading
            for name in set(TIMED) & set(heading):
                if cells is not heading:
                    cells[heading.index(name)] = "…"
            kept.append(TIMES.sub("… s", "  ".join(cells)))
    return kept


def rewritten(text, folder):
    """A page with what its commands print now."""

    def block(found):
        lines = []
        for step in steps(found[0]):
            prompted = step.command.replace("\n", "\n> ")
            lines += [f"$ {prompted}", *run(step.command, folder)]
        return "\n".join(["```console", *lines, "```"])

    return FENCE.sub(block, text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            Path(name).write_text(rewritten(Path(name).read_text(), folder))
