"""The functions of tasks by their names, so that data travels and never code."""

from __future__ import annotations

from importlib import import_module

from topoctl.engine.protocol import Answer, Task

FUNCTIONS = {
    "advance": "topoctl.engine.advance:advance",
    "appraise": "topoctl.engine.appraising:appraised",
    "measure": "topoctl.engine.measuring:measured",
    "survive": "topoctl.engine.surviving:survived",
}
"""Module and name of each; imported when it is called."""


def perform(task: Task) -> Answer:
    """Call the function of a task."""
    module, _, name = FUNCTIONS[task.function].partition(":")
    found: Answer = getattr(import_module(module), name)(task)
    return found
