"""Which process owns a run or a group, on which machine, and whether it lives: no other resumes it then.

An owner is a text that names the process: its machine, its number there, when it began, and a draw. A process
of this machine is looked up; one of another machine, which shares the study's folder, counts as living for
as long as it has written to the row of one of its runs or groups lately.
"""

from __future__ import annotations

import os
import platform
import secrets
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Literal

from topoctl.errors import StudyError
from topoctl.kernels.backend import backend_name

# A process writes after every epoch, or every second; an epoch may take seconds.
SILENCE_SECONDS = 60.0
"""After which a process of another machine counts as gone."""
RUNNING = """
    SELECT kind, id, owner, latest FROM (
        SELECT kind, id, owner, status, max(updated) OVER (PARTITION BY owner) AS latest FROM (
            SELECT 'run' AS kind, id, owner, status, updated FROM runs
            UNION ALL SELECT 'group', id, owner, status, updated FROM groups
        )
    ) WHERE status = 'running'
"""
ENDED = "ZX"
"""States of a process that only waits for its parent to take notice of its end."""

Kind = Literal["run", "group"]
Owned = tuple[Kind, int]
"""What a process owns: a run or a group, by its id."""


def new_owner() -> str:
    """Return an owner that no other study of any process has."""
    return f"{machine()}/{os.getpid()}/{began(os.getpid())}/{secrets.token_hex(8)}"


@cache
def machine() -> str:
    """Name this machine since it was started, and its space of process numbers: containers have their own."""
    boot, space = "", ""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:  # no Linux
        pass
    return f"{platform.node().replace('/', '_')}/{boot}{space}"


def began(process: int | str) -> str:
    """Return when a process began, as Linux counts it; empty without Linux, or where it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in ENDED else fields[19]


def lives(owner: str, updated: str) -> bool:
    """Return whether the process of an owner lives, as far as this machine can tell.

    Args:
        owner: text of :func:`new_owner`.
        updated: when it last wrote, UTC, ISO 8601.
    """
    here, _, known = owner.partition(f"{machine()}/")
    match [here, *known.split("/")]:
        case ["", process, beginning, _] if beginning:
            return process.isdecimal() and began(process) == beginning
    try:
        silence = datetime.now(UTC) - datetime.fromisoformat(updated)
    except (ValueError, TypeError):
        return False
    return silence.total_seconds() < SILENCE_SECONDS


def owners(connection: sqlite3.Connection) -> dict[Owned, tuple[str, bool]]:
    """Return the owners of the runs and groups that are under way, and whether each owner lives.

    A process that has several runs writes to the runs under way; the others wait, and live with them.
    """
    found = connection.execute(RUNNING).fetchall()
    living = {pair: lives(*map(str, pair)) for pair in {(owner, latest) for *_, owner, latest in found}}
    return {(kind, number): (str(owner), living[owner, latest]) for kind, number, owner, latest in found}


def refuse_running(connection: sqlite3.Connection, study: Path, owned: Sequence[Owned]) -> None:
    """Refuse runs and groups if another process is at work on one of them.

    Raises:
        StudyError: naming the process.
    """
    known = owners(connection)
    for one in owned:
        owner, living = known.get(one, ("", False))
        if living and not owner.startswith(f"{machine()}/{os.getpid()}/"):
            host, _, rest = owner.partition("/")
            number = "".join(rest.split("/")[1:2])
            raise StudyError(
                f"study {study}: process {number} on {host} is at work on {described(one)}; stop it first, "
                "or resume all the same with --take-over"
            )


def described(owned: Owned) -> str:
    """Return a run or a group in words.

    Example:
        >>> described(("run", 7)), described(("group", 1))
        ('run 7', 'group g1')
    """
    kind, number = owned
    return f"group g{number}" if kind == "group" else f"run {number}"


def host_facts() -> dict[str, str | int]:
    """Return what this machine is: cores, processor, Python and kernel backend."""
    return {
        "cores": os.cpu_count() or 1,
        "processor": _processor_name(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "kernel": backend_name(),
    }


def _processor_name() -> str:
    """Return the processor's model name as Linux tells it, else what Python knows."""
    try:
        with Path("/proc/cpuinfo").open() as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
