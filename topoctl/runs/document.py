"""The JSON document that every command prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SCHEMA = "topoctl.results/1"

Row = dict[str, Any]
Document = dict[str, Any]


def document(
    command: str,
    parameters: Mapping[str, Any],
    results: Sequence[Row],
    *,
    seed: int | None = None,
    evaluations: int | None = None,
    seconds: float | None = None,
    **more: Any,
) -> Document:
    """Build a document.

    Args:
        command: the command line words.
        parameters: what was asked for, JSON values.
        results: one row each.
        seed: of all draws, None where nothing is drawn.
        evaluations: networks scored or measured.
        seconds: spent on them.
        more: further fields of one command.

    Example:
        >>> document("families", {}, [])["schema"]
        'topoctl.results/1'
    """
    return {
        "schema": SCHEMA,
        "command": command,
        "parameters": dict(parameters),
        "seed": seed,
        "evaluations": evaluations,
        "seconds": seconds,
        **more,
        "results": list(results),
    }


def has_searched(seed: Row) -> bool:
    """Whether a seed of a group was given any time: Ctrl-C may come before.

    Args:
        seed: a row of the `seeds` of a document.

    Example:
        >>> has_searched({"evaluations": 0, "status": "interrupted"})
        False
    """
    return bool(seed["evaluations"]) or seed["status"] == "finished"
