"""Which study a command line means."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from topoctl import interruption
from topoctl.cli.options import DEFAULT_STUDY, Settings
from topoctl.errors import TopoctlError
from topoctl.search.protocol import Search
from topoctl.study.groups import Group, StoredGroup, add_group, group_of
from topoctl.study.runner import StoredRun
from topoctl.study.store import Study
from topoctl.study.stored_rows import Run
from topoctl.version import __version__

if TYPE_CHECKING:
    from topoctl.cli.names import Name

Stored = TypeVar("Stored", StoredRun, StoredGroup)


def new_run(search: Search, settings: Settings) -> StoredRun | None:
    """A run for a search that is about to begin; None where nothing is to be stored.

    Raises:
        StudyError: a study that was named cannot be used. The default one then is only warned of.
    """

    def begin(study: Study) -> StoredRun:
        return StoredRun(study, study.add_run(search.command, search.parameters, search.seed))

    return begun(begin, settings)


def new_group(searches: Sequence[Search], settings: Settings) -> StoredGroup | None:
    """The same for searches of several seeds."""
    asked = {"seeds": [search.seed for search in searches]}
    return begun(lambda study: add_group(study, searches[0].command, asked, searches), settings)


def begun(begin: Callable[[Study], Stored], settings: Settings) -> Stored | None:
    """What is written of work that is about to begin; None where nothing is to be stored."""
    if settings.no_study:
        return None
    path = settings.study or DEFAULT_STUDY
    try:
        study = Study(path)
        with interruption.held():
            stored = begin(study)
            interruption.say_at_the_end(f"interrupted; {how_to_resume(stored)}")
    except TopoctlError as error:
        if settings.study:
            raise
        warnings.warn(f"{error}; this run is not stored", RuntimeWarning, stacklevel=2)
        return None
    settings.say(f"{described(stored)} in study {path}")
    return stored


def existing(settings: Settings, *, read_only: bool = True) -> Study:
    """The study that is there already.

    Raises:
        StudyError: it is not there, or cannot be used.
    """
    path = settings.study or DEFAULT_STUDY
    study = Study(path, read_only=True)
    if read_only:
        return study
    study.connection.close()
    return Study(path)


def group_command(name: Name, settings: Settings) -> str | None:
    """The command that a group was begun by; None where the name is of a run.

    Raises:
        StudyError: there is no such group, or it is damaged.
    """
    if not name.is_group:
        return None
    with existing(settings) as study:
        return group_of(study, name.number).command


def how_to_resume(stored: StoredRun | StoredGroup | None) -> str:
    """What an interrupted user can do."""
    if stored is None:
        return "nothing was stored"
    if not stored.study.there:
        return f"study {stored.study.path} was deleted or replaced meanwhile: nothing is kept"
    name = f"g{stored.id}" if isinstance(stored, StoredGroup) else stored.id
    return f"go on with: topoctl runs resume {name} --study {stored.study.path}"


def described(stored: StoredRun | StoredGroup) -> str:
    """A run, or a group and its runs, in words."""
    if isinstance(stored, StoredRun):
        return f"run {stored.id}"
    if not stored.runs:
        return f"group g{stored.id}"
    return f"group g{stored.id} of runs {stored.runs[0]}..{stored.runs[-1]}"


def study_parameters(settings: Settings) -> Mapping[str, Any]:
    """The study's name for a document."""
    return {"study": str(settings.study or DEFAULT_STUDY)}


def warn_of_version(stored: Run | Group, what: str) -> None:
    """Warn of a run or a group that another version began."""
    if stored.version != __version__:
        message = f"{what} began with topoctl {stored.version}; under {__version__} its result may differ"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
