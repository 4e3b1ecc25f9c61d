"""Run tasks on a worker of a cluster: a task comes as bytes, its answer goes as bytes; no code travels."""

from __future__ import annotations

import warnings

from topoctl import errors
from topoctl.engine.protocol import Answer, Task
from topoctl.engine.tasks import perform
from topoctl.errors import TopoctlError
from topoctl.kernels.backend import backend_name
from topoctl.search.protocol import Json
from topoctl.search.state import pack, unpack
from topoctl.version import __version__


class Refused(Exception):  # noqa: N818 - no failure of the task
    """A worker of another version refuses a task; its address, and the versions that it has."""


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


def answer_of(data: bytes) -> Answer:
    """Unpack the answer of a worker.

    Raises:
        Refused: the worker is of another version.
        TopoctlError: the function raised it.
    """
    header, arrays = unpack(data, "the answer")
    if "refused" in header:
        raise Refused(*header["refused"])
    if "error" in header:
        name, message = header["error"]
        raise _error_of(name, message)
    return Answer(header["values"], arrays)


def _error_of(name: str, message: str) -> TopoctlError:
    """Build an error from its name and message; a FormatError, which takes more, as a TopoctlError."""
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
        return pack(_failure(error), {})
    except MemoryError:
        return pack(_failure(TopoctlError("out of memory on a worker")), {})
    except OSError as error:
        return pack(_failure(TopoctlError(f"on a worker: {error}")), {})
    return pack({"values": dict(answer.values)}, answer.arrays)


def _failure(error: TopoctlError) -> dict[str, Json]:
    """An error as JSON values."""
    return {"error": [type(error).__name__, str(error)]}
