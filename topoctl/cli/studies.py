"""Which study a command line means."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from topoctl import __version__, interruption
from topoctl.cli.options import DEFAULT_STUDY, Settings
from topoctl.errors import TopoctlError
from topoctl.search.protocol import Search
from topoctl.study.runner import StoredRun
from topoctl.study.store import Study
from topoctl.study.stored_rows import Run


def new_run(search: Search, settings: Settings) -> StoredRun | None:
    """A run for a search that is about to begin; None where nothing is to be stored.

    Raises:
        StudyError: a study that was named cannot be used. The default one then is only warned of.
    """
    if settings.no_study:
        return None
    path = settings.study or DEFAULT_STUDY
    try:
        study = Study(path)
        with interruption.held():
            stored_run = StoredRun(study, study.add_run(search.command, search.parameters, search.seed))
            interruption.say_at_the_end(f"interrupted; {how_to_resume(stored_run)}")
    except TopoctlError as error:
        if settings.study:
            raise
        warnings.warn(f"{error}; this run is not stored", RuntimeWarning, stacklevel=2)
        return None
    settings.say(f"run {stored_run.id} in study {path}")
    return stored_run


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


def how_to_resume(stored_run: StoredRun | None) -> str:
    """What an interrupted user can do."""
    if stored_run is None:
        return "nothing was stored"
    return f"go on with: topoctl runs resume {stored_run.id} --study {stored_run.study.path}"


def study_parameters(settings: Settings) -> Mapping[str, Any]:
    """The study's name for a document."""
    return {"study": str(settings.study or DEFAULT_STUDY)}


def warn_of_version(run: Run) -> None:
    """Warn of a run that another version began."""
    if run.version != __version__:
        message = f"run {run.id} began with topoctl {run.version}; under {__version__} its result may differ"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
