"""What runs work with: the engine, the study that keeps new ones, and who hears of their progress."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Self, TypeVar

from topoctl import interruption
from topoctl.engine.cluster_names import engine_on
from topoctl.errors import EngineLost, StudyError, TopoctlError

if TYPE_CHECKING:  # commands that measure open no study
    from topoctl.engine.protocol import Engine
    from topoctl.search.protocol import Status
    from topoctl.study.groups import StoredGroup
    from topoctl.study.processes import Owned
    from topoctl.study.runner import OnStatus, StoredRun
    from topoctl.study.store import Study

Stored = TypeVar("Stored", "StoredRun", "StoredGroup")


class Progress:
    """Hears of work under way, and ignores it."""

    def __call__(self, status: Status, seconds: float, of: Hashable = None) -> None:
        """Take a search's status, and its seconds so far; `of` tells searches side by side apart."""

    def certifying(self, rank: int, total: int) -> None:
        """Take the rank of the network that is measured again, and how many there are."""

    def show(self, line: str) -> None:
        """Take a line on what is under way."""

    def listed(self, family: str, looked: int, networks: int) -> None:
        """Take a family, its structures looked at, and the networks listed of all families."""

    def ranking(self, networks: int) -> None:
        """Take the number of networks that are ranked."""

    def reading(self, name: str) -> None:
        """Take the name of the network that is built or read."""

    def measured(self, name: str, done: int, total: int) -> None:
        """Take what is measured, the sources done and their total."""

    def counted(self, name: str, done: int, total: int, things: str) -> None:
        """Take what is measured, what is done, its total, and what that counts."""

    def elsewhere(self, name: str, networks: int) -> None:
        """Take what a cluster measures, and how many networks at once."""


class Listener(Progress):
    """Progress that calls what a Python program gives; what it does not give hears nothing."""

    def __init__(
        self,
        on_status: OnStatus | None = None,
        on_line: Callable[[str], None] | None = None,
        on_measured: Callable[[str, int, int], None] | None = None,
        on_counted: Callable[[str, int, int, str], None] | None = None,
    ) -> None:
        self.on_status, self.on_line = on_status, on_line
        self.on_measured, self.on_counted = on_measured, on_counted

    def __call__(self, status: Status, seconds: float, of: Hashable = None) -> None:  # noqa: ARG002
        """Take a search's status."""
        if self.on_status:
            self.on_status(status, seconds)

    def show(self, line: str) -> None:
        """Take a line."""
        if self.on_line:
            self.on_line(line)

    def measured(self, name: str, done: int, total: int) -> None:
        """Take the sources of a network that are done."""
        if self.on_measured:
            self.on_measured(name, done, total)

    def counted(self, name: str, done: int, total: int, things: str) -> None:
        """Take what is measured, and how much of it is done."""
        if self.on_counted:
            self.on_counted(name, done, total, things)


def ignore(*_: object) -> None:
    """Say nothing."""


class Session:
    """What the runs of one call work with; a context manager that closes what it has opened.

    Args:
        threads: of this process, for the kernels; results do not depend on it.
        cluster: whose workers run tasks, by name, such as ``local:4``; None for this process.
        study: file that runs are kept in, or None where there is none.
        keep: whether new runs are kept in it.
        required: whether a study that cannot be used is an error, or a warning.
        say: takes a line for the user.
        display: makes a context manager that shows progress; nothing is said while it is open.
        connected: called once the cluster is connected.
        began: when the call began, by the monotonic clock, where that was before this; planned seconds that
            are those of the whole count from there.
    """

    def __init__(
        self,
        threads: int,
        cluster: str | None = None,
        study: Path | None = None,
        *,
        keep: bool = True,
        required: bool = True,
        say: Callable[[str], None] = ignore,
        display: Callable[[], AbstractContextManager[Progress]] = lambda: nullcontext(Listener()),
        connected: Callable[[], None] = ignore,
        began: float | None = None,
    ) -> None:
        self.began = monotonic() if began is None else began
        self.threads, self.name_of_cluster = threads, cluster
        self.study, self.keep, self.required = study, keep, required
        self.say, self.display, self.connected = say, display, connected
        self.opened = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.close()

    @cached_property
    def cluster(self) -> Engine | None:
        """The engine of the cluster, connected when it is first asked for; None without one.

        Raises:
            InvalidParameters: the cluster cannot exist, or Dask is not installed.
            FormatError: a scheduler file is missing or malformed.
            TopoctlError: the scheduler cannot be reached, or none of its workers can be used.
        """
        engine = self.opened.enter_context(engine_on(self.name_of_cluster))
        if engine is not None:
            self.connected()
        return engine

    @property
    def engine(self) -> Engine:
        """Where tasks run: the cluster, or this process."""
        from topoctl.engine.tasks import Local

        return self.cluster or Local(self.threads)

    @cached_property
    def side_by_side(self) -> Engine:
        """Where tasks of one thread run: the cluster, or threads of this process, one for each."""
        from topoctl.engine.tasks import SideBySide

        return self.cluster or self.opened.enter_context(closing(SideBySide(self.threads)))

    def planning(self) -> None:
        """Let Ctrl-C say from now on that there is nothing to keep yet."""
        interruption.say_at_the_end("interrupted while planning; no search has begun, and nothing is kept")

    def begin(self, add: Callable[[Study], Stored]) -> Stored | None:
        """Write the rows of a new run or group, before any of its work; None where nothing is kept.

        Raises:
            StudyError: a study that is required cannot be used.
        """
        interruption.say_at_the_end(f"interrupted; {how_to_resume(None)}")
        if self.study is None or not self.keep:
            return None
        from topoctl.study.store import Study

        try:
            study = self.opened.enter_context(Study(self.study))
            with interruption.held():
                stored = add(study)
                interruption.say_at_the_end(f"interrupted; {how_to_resume(stored)}")
        except TopoctlError as error:
            if self.required:
                raise
            warnings.warn(f"{error}; this run is not stored", RuntimeWarning, stacklevel=2)
            return None
        self.say(f"{_described(stored)} in study {self.study}")
        return stored

    def existing(self, *, read_only: bool = True) -> Study:
        """The study, which must be there already; closed at the end.

        Raises:
            StudyError: it is missing, or cannot be used.
        """
        if self.study is None:
            raise StudyError("no study is named; expected its file")
        from topoctl.study.store import Study

        return self.opened.enter_context(Study.existing(self.study, read_only=read_only))

    def take_over(self, stored: StoredRun | StoredGroup, *, forced: bool) -> None:
        """Make this process the one that works on a run, or on a group and its runs that have not finished.

        Raises:
            StudyError: another process works on one of them, and nothing is forced.
        """
        from topoctl.study.groups import StoredGroup

        study = stored.study
        owned: list[Owned] = [("run", stored.id)]
        if isinstance(stored, StoredGroup):
            undone = [run for run in stored.runs if study.run(run).status != "finished"]
            owned = [("group", stored.id), *(("run", run) for run in undone)]
        with interruption.held():
            study.take_over(*owned, forced=forced)
            interruption.say_at_the_end(f"interrupted; {how_to_resume(stored)}")


@contextmanager
def telling_how_to_resume(stored: StoredRun | StoredGroup | None) -> Iterator[None]:
    """Add to a lost engine's error how to resume what is kept."""
    try:
        yield
    except EngineLost as error:
        raise EngineLost(f"{error}; {how_to_resume(stored)}") from error


def how_to_resume(stored: StoredRun | StoredGroup | None) -> str:
    """What a user can do after an interruption."""
    if stored is None:
        return "nothing was stored"
    if not stored.study.there:
        return f"study {stored.study.path} was deleted or replaced meanwhile: nothing is kept"
    from topoctl.study.runner import StoredRun

    name = stored.id if isinstance(stored, StoredRun) else f"g{stored.id}"
    return stored.study.resumed_with(name)


def _described(stored: StoredRun | StoredGroup) -> str:
    """A run, or a group and its runs, in words."""
    from topoctl.study.runner import StoredRun

    if isinstance(stored, StoredRun):
        return f"run {stored.id}"
    if not stored.runs:
        return f"group g{stored.id}"
    runs = f"runs {stored.runs[0]}..{stored.runs[-1]}" if len(stored.runs) > 1 else f"run {stored.runs[0]}"
    return f"group g{stored.id} of {runs}"
