"""What a worker of a cluster does: a task comes as bytes, its answer goes as bytes; no code travels."""

from __future__ import annotations

import warnings

from topoctl import errors
from topoctl.engine.functions import perform
from topoctl.engine.protocol import Answer, Task
from topoctl.errors import TopoctlError
from topoctl.kernels.backend import backend_name
from topoctl.search.protocol import Json
from topoctl.search.state import pack, unpack
from topoctl.version import __version__


class Refused(Exception):  # noqa: N818 - no failure of the task
    """A worker does not take a task; its address, and what it has."""


def introduce() -> dict[str, str]:
    """What a process has: its topoctl and its kernels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the coordinator says it, once
        kernel = backend_name()
    return {"topoctl": __version__, "kernel": kernel}


def task_bytes(task: Task) -> bytes:
    """A task, with what the worker must have."""
    header = {**introduce(), "function": task.function, "values": dict(task.values)}
    return pack(header, task.arrays)


def answer_of(data: bytes) -> Answer:
    """The answer in a worker's bytes.

    Raises:
        Refused: the worker is of another version.
        TopoctlError: the function raised it.
    """
    header, arrays = unpack(data, "the answer")
    if "refused" in header:
        raise Refused(*header["refused"])
    if "error" in header:
        name, message = header["error"]
        raise error_of(name, message)
    return Answer(header["values"], arrays)


def error_of(name: str, message: str) -> TopoctlError:
    """An error of its name and its message; of one that takes more than that, its root."""
    kind = getattr(errors, name, TopoctlError)
    return TopoctlError(message) if kind is errors.FormatError else kind(message)


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
        return pack(failure(error), {})
    except MemoryError:
        return pack(failure(TopoctlError("out of memory on a worker")), {})
    except OSError as error:
        return pack(failure(TopoctlError(f"on a worker: {error}")), {})
    return pack({"values": dict(answer.values)}, answer.arrays)


def failure(error: TopoctlError) -> dict[str, Json]:
    """An error as JSON values."""
    return {"error": [type(error).__name__, str(error)]}
