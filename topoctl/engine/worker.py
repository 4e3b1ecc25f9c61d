"""Run tasks on a worker of a cluster: a task comes as bytes, its answer goes as bytes; no code travels."""

from __future__ import annotations

import warnings
from typing import Any

from topoctl import errors
from topoctl.engine.protocol import Answer, Task
from topoctl.engine.tasks import perform
from topoctl.errors import Damaged, TopoctlError, quoted
from topoctl.json_shapes import Shape, one_of, record, row, text
from topoctl.kernels.backend import backend_name
from topoctl.search.protocol import Json
from topoctl.search.state import pack, unpack
from topoctl.version import __version__

INTRODUCTION = record({"topoctl": text(), "kernel": text()})
ERRORS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, TopoctlError)
}
"""What a worker may raise, by name."""
OUTCOMES: dict[str, Shape] = {
    "refused": row(text(), INTRODUCTION),
    "error": row(one_of(*ERRORS), text("(?s).*")),
    "values": record({}, more=True),
}
"""What comes back of a task, one of these."""


class Refused(Exception):  # noqa: N818 - no failure of the task
    """A worker of another version refuses a task; its address, and the versions that it has."""


class Malformed(Exception):  # noqa: N818
    """What a worker sent back is no answer; what is wrong with it."""


def introduce() -> dict[str, str]:
    """Return the versions of this process: its topoctl and its kernels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the coordinator says it, once
        kernel = backend_name()
    return {"topoctl": __version__, "kernel": kernel}


def task_bytes(task: Task) -> bytes:
    """Pack a task, with the versions that the worker must have."""
    header = {**introduce(), "function": task.function, "values": dict(task.values)}
    return pack(header, task.arrays)


def answer_of(data: object, task: Task) -> Answer:
    """Unpack what a worker sent back of a task, and check that it is an answer of that task.

    Raises:
        Refused: the worker is of another version.
        Malformed: it is nothing that such a task can send.
        TopoctlError: the function raised it.
    """
    try:
        if not isinstance(data, bytes):
            raise Damaged(f"the answer is of {type(data).__name__}; expected bytes")
        header, arrays = unpack(data, "the answer")
        outcome, content = _outcome_in(header)
        if outcome == "values":
            answer = Answer(content, arrays)
            task.check(answer)
            return answer
    except Damaged as error:
        raise Malformed(str(error)) from error
    if outcome == "refused":
        raise Refused(*content)
    raise _error_of(*content)


def _outcome_in(header: Json) -> tuple[str, Any]:
    """Return the one outcome that a header holds, and its content.

    Raises:
        Damaged: it holds none, or more than one.
    """
    found = [name for name in OUTCOMES if isinstance(header, dict) and name in header]
    if len(found) != 1:
        raise Damaged(
            f"the answer has {' and '.join(found) or 'no outcome'}; expected one of {', '.join(OUTCOMES)}"
        )
    (name,) = found
    OUTCOMES[name](header[name], name)
    return name, header[name]


def _error_of(name: str, message: str) -> TopoctlError:
    """Build an error from its name and message; a FormatError, which takes more, as a TopoctlError."""
    kind, said = ERRORS[name], message if message.isprintable() else quoted(message)
    return TopoctlError(said) if kind is errors.FormatError else kind(said)


def work(data: bytes) -> bytes:
    """Perform a task, on a worker."""
    header, arrays = unpack(data, "the task")
    found = introduce()
    if header["topoctl"] != found["topoctl"] or header["kernel"] != found["kernel"]:
        from distributed import get_worker

        return pack({"refused": [get_worker().address, found]}, {})
    try:
        answer = perform(Task(header["function"], header["values"], arrays))
    except TopoctlError as error:
        return pack(_failure(error), {})
    except MemoryError:
        return pack(_failure(TopoctlError("out of memory on a worker")), {})
    except OSError as error:
        return pack(_failure(TopoctlError(f"on a worker: {error}")), {})
    return pack({"values": dict(answer.values)}, answer.arrays)


def _failure(error: TopoctlError) -> dict[str, Json]:
    """An error as JSON values."""
    return {"error": [type(error).__name__, str(error)]}
