"""The commands: ``topoctl runs resume`` is ``runs_resume`` of ``runs_resume.py``, imported when named."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

COMMANDS = (
    "search",
    "search equality",
    "search cayley",
    "optimize",
    "optimize grid",
    "optimize graph",
    "optimize hosts",
    "optimize sweep",
    "sweep",
    "grow",
    "design",
    "enumerate",
    "evaluate",
    "bounds",
    "bounds grid",
    "bounds hosts",
    "export",
    "cable",
    "check",
    "route",
    "simulate",
    "plot",
    "families",
    "glossary",
    "presets",
    "presets compare",
    "presets list",
    "presets show",
    "runs",
    "runs compare",
    "runs delete",
    "runs export",
    "runs list",
    "runs note",
    "runs repeat",
    "runs resume",
    "runs show",
)
"""All command lines, in the order in which help lists them; a group comes with those of its commands."""

GROUPS = {
    "search": "Search a family for the networks with the shortest paths.",
    "optimize": "Exchange links of a network until its paths are as short as its ports and cables allow.",
    "presets": "List published networks worth searching again, and set the papers' tables beside ours.",
    "runs": "List, show, compare, note, export and delete the runs of a study; resume or repeat one.",
}
"""The groups that do nothing by themselves, and what their help says; these have no file."""


def file_name(command: str) -> str:
    """The name of a command's file, and of the function in it.

    Example:
        >>> file_name("runs resume")
        'runs_resume'
    """
    return command.replace(" ", "_")


def module_of(command: str) -> ModuleType:
    """Import a command's file."""
    return import_module(f"{__name__}.{file_name(command)}")
