"""Work to be completed, by its name or in a file; jobs that are done at once, and the ranks of each."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from topoctl.errors import FormatError, InvalidParameters, hint, quoted
from topoctl.families.record import Parameter
from topoctl.families.spec import complete_parameters, read_spec
from topoctl.formats.files import read_files
from topoctl.simulation.request import MOST_BYTES, MOST_RANKS, SIZE, SimulationRequest, read_bytes
from topoctl.simulation.workloads.collectives import COLLECTIVES
from topoctl.simulation.workloads.connection_matrix import parse_connections
from topoctl.simulation.workloads.exchanges import PERMUTATIONS, STENCIL
from topoctl.simulation.workloads.goal import parse_goal
from topoctl.simulation.workloads.record import Work

WORKLOADS = {one.name: one for one in (*COLLECTIVES, STENCIL, *PERMUTATIONS)}
"""By name, in the order in which they are listed."""
READERS: dict[str, Callable[[str | Path, str], Work]] = {".goal": parse_goal, ".cm": parse_connections}
"""Of files, by suffix."""

OWN = (
    Parameter("ranks", "ranks of the job", least=2, most=MOST_RANKS, omitted=0),
    Parameter("bytes", "of a message or a vector", least=0, most=MOST_BYTES, omitted=0),
)


@dataclass(frozen=True)
class Job:
    """One of the jobs that are done at once.

    Attributes:
        name: as it was asked for.
        ranks: how many it was given; None where it takes its share.
        work: of so many ranks.
        of_file: the same, where a file tells it.
    """

    name: str
    ranks: int | None
    work: Callable[[int], Work]
    of_file: Work | None = None


Works = list[tuple[str, list[Job]]]
"""Works by their names, each with its jobs."""


def jobs_asked(
    text: str, ranks: int | None, size: int, seed: int = 1, files: Mapping[str, Work] | None = None
) -> Works:
    """Return the work that a text asks for: items between commas, and in each what is done at once.

    Args:
        text: names with parameters, or files; ``A,B`` are two works, ``A+B`` are two jobs of one.
        ranks: of every job that does not tell its own; None where they share the endpoints.
        size: bytes of every job that does not tell its own.
        seed: of every permutation that does not tell its own.
        files: work of files that have been read, by their names.

    Raises:
        InvalidParameters: an unknown name, or parameters that it does not have.
        FormatError: a file cannot be read, or is not one of work.

    Example:
        >>> [(name, len(jobs)) for name, jobs in jobs_asked("incast(ranks=4)+all-to-all,broadcast", None, 64)]
        [('incast(ranks=4)+all-to-all', 2), ('broadcast', 1)]
    """
    known = files or {}
    return [
        (item, [_job(one, ranks, size, seed, known) for one in _split(item, "+", known)])
        for item in _split(text, ",", known)
    ]


def jobs_of(request: SimulationRequest, files: Mapping[str, Work] | None = None) -> Works:
    """Return the work that a request asks for, as :func:`jobs_asked`."""
    assert request.work is not None
    return jobs_asked(request.work, request.ranks, request.message_bytes, request.seed, files)


def works_of_files(works: Works) -> dict[str, Work]:
    """Return the work that files tell, by their names."""
    jobs = (job for _, jobs in works for job in jobs)
    return {job.name: job.of_file for job in jobs if job.of_file is not None}


def _split(text: str, mark: str, files: Mapping[str, Work]) -> list[str]:
    """Split at marks outside of parentheses; the name of a file is whole."""
    if text in files or os.path.isfile(text):  # noqa: PTH113 - a name that no file can have is one of no file
        return [text]
    items = [item.strip() for item in re.split(rf"[{mark}](?![^(]*\))", text)]
    if not all(items):
        thing = "job" if mark == "+" else "work"
        raise InvalidParameters(
            f"work {quoted(text)}: {thing} {items.index('') + 1} of {len(items)} is empty: expected names, "
            "as in broadcast,all-to-all or broadcast+all-to-all"
        )
    return items


def _job(text: str, ranks: int | None, size: int, seed: int, files: Mapping[str, Work]) -> Job:
    """Return a job: of a file, or of a workload and its parameters."""
    name, bracket, _ = text.partition("(")
    name = name.strip().lower()
    if name not in WORKLOADS:
        if text in files or Path(text).suffix.lower() in READERS or re.search(r"[/.\\]", text):
            work = files.get(text) or _work_of_file(text)
            return Job(text, work.ranks, lambda _: work, work)
        known = [*WORKLOADS, "a file"]
        raise InvalidParameters(f"work {quoted(text)} is unknown{hint(name, known, listed=True)}")
    workload = WORKLOADS[name]
    parameters = (*workload.parameters, *OWN)
    sizes = re.compile(rf"(bytes\s*=\s*)({SIZE.pattern})", re.IGNORECASE)
    plain = sizes.sub(lambda found: f"{found[1]}{read_bytes(found[2])}", text)
    asked = {"ranks": ranks, "bytes": size, "seed": seed}
    given = (read_spec(name, parameters, plain) or {}) if bracket else {}
    values = complete_parameters(
        name,
        parameters,
        {one.name: asked[one.name] for one in parameters if asked.get(one.name)} | dict(given),
    )
    own_ranks = int(values["ranks"]) or None  # type: ignore[arg-type]
    return Job(text, own_ranks, lambda count: workload.work(count, int(values["bytes"]), values))  # type: ignore[arg-type]


def _work_of_file(path: str) -> Work:
    """Read the work of a file."""
    reader = READERS.get(Path(path).suffix.lower())
    if reader is None:
        raise FormatError(path, f"expected a file of work, {' or '.join(READERS)}")
    (content,) = read_files(path)
    try:
        return reader(path, content.decode())
    except UnicodeDecodeError:
        raise FormatError(path, "not a text; expected lines of GOAL, or of flows") from None


def refuse_idle_options(request: SimulationRequest, works: Works) -> None:
    """Refuse ranks and bytes where every job is one of a file, which tells its own.

    Raises:
        InvalidParameters: one is given.
    """
    of_files = [job.of_file is not None for _, jobs in works for job in jobs]
    given = request.given(("ranks", "message_bytes"))
    if of_files and all(of_files) and given:
        raise InvalidParameters(
            f"{', '.join(given)}: files of work tell their own ranks and bytes: expected neither"
        )


def shared_ranks(jobs: Sequence[Job], endpoints: int) -> list[int]:
    """Return how many ranks every job has: its own, or an even share of the endpoints that are left.

    Raises:
        InvalidParameters: more ranks than endpoints.

    Example:
        >>> shared_ranks(jobs_asked("incast(ranks=4)+broadcast+incast", None, 64)[0][1], 16)
        [4, 6, 6]
    """
    left, sharing = endpoints - sum(job.ranks or 0 for job in jobs), sum(job.ranks is None for job in jobs)
    share = left // sharing if sharing else 0
    if left < 0 or (sharing and share < 2):
        names = "+".join(job.name for job in jobs)
        wanted = sum(job.ranks or 2 for job in jobs)
        raise InvalidParameters(
            f"work {quoted(names)}: {wanted} ranks or more, and the network has {endpoints} endpoints: "
            "expected an endpoint for every rank"
        )
    return [job.ranks or share for job in jobs]
