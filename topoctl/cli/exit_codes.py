"""The one place where an error becomes one line on standard error and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from time import monotonic
from typing import Any

import rich_click as click

from topoctl import interruption
from topoctl.cli.completion import VARIABLE, answer
from topoctl.cli.lazy import BEGAN, WORDS, LazyGroup
from topoctl.errors import Infeasible, TopoctlError
from topoctl.report.messages import make_legible, say, silence, with_words_cut

FAILURE, USAGE, INFEASIBLE, FILE, DIFFERENT = 1, 2, Infeasible.exit_code, 4, 5
INTERRUPTED = interruption.EXIT_CODE
CLOSED = 128 + 13  # what a shell says of a process that SIGPIPE has ended
EXIT_CODES = {
    0: "done",
    FAILURE: "failure while running",
    USAGE: "wrong option or spec",
    INFEASIBLE: "nothing feasible",
    FILE: "a file or study that cannot be used",
    DIFFERENT: "what was checked differs from its plan",
    INTERRUPTED: "interrupted (the best so far is saved)",
    CLOSED: "standard output was closed by its reader, as by head",
}
"""What every command ends with, and what that means; they never change."""

FILE_ERRORS = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)
NAME_ERRORS = (errno.ENAMETOOLONG, errno.ELOOP)


def explain(error: BaseException) -> tuple[str, int]:  # noqa: PLR0911 - one line for each kind
    """The line that says what happened, empty where there is nothing to say, and the exit code."""
    match error:
        case click.UsageError():
            context = error.ctx
            command = f" (see: {context.command_path} -h)" if context else ""
            return f"error: {error.format_message().rstrip('.')}{command}", USAGE
        case click.ClickException():
            return f"error: {error.format_message()}", USAGE
        case TopoctlError():
            return f"error: {error}", error.exit_code
        case KeyboardInterrupt() | click.Abort():
            return "interrupted", INTERRUPTED
        case MemoryError():
            return f"error: out of memory{f': {error}' if str(error) else ''}", FAILURE
        case BrokenPipeError():
            return "", CLOSED  # the reader has what it wants
        case OSError(errno=errno.EBADF):
            return "error: standard output is closed", FAILURE
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            unusable = isinstance(error, FILE_ERRORS) or error.errno in NAME_ERRORS
            code = FILE if unusable else FAILURE
            return f"error: {place}{error.strerror or error}", code
    raise error


def show_warning(message: Warning | str, category: type[Warning], *place: Any, **_: Any) -> None:
    """Show a RuntimeWarning as one line; leave the other kinds, which address programmers, to Python."""
    if issubclass(category, RuntimeWarning):
        say(f"warning: {message}")
    else:
        sys.stderr.write(warnings.formatwarning(message, category, place[0], place[1]))


class TopoctlGroup(LazyGroup):
    """The root command: runs a command, and ends the process with the exit code of the contract."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, before click can turn an interruption or a closed pipe into another error."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except (TopoctlError, OSError, MemoryError, KeyboardInterrupt) as error:
            ctx.exit(fail(error))
        return result

    def make_context(self, info_name: str | None, args: list[str], **options: Any) -> Any:  # type: ignore[override]
        """Parse, which may print the help, before click can turn a closed pipe into a silent end."""
        words, began = [info_name or "", *args], monotonic()
        try:
            context = super().make_context(info_name, args, **options)
        except OSError as error:
            sys.exit(fail(error))
        context.meta[WORDS], context.meta[BEGAN] = words, began
        return context

    def main(self, *args: Any, **options: Any) -> Any:
        """Parse, run, and exit."""
        if VARIABLE in os.environ:
            sys.exit(answer(self))
        options |= {"standalone_mode": False}
        make_legible(sys.stdout, sys.stderr)
        with warnings.catch_warnings():
            warnings.simplefilter("always", RuntimeWarning)
            warnings.showwarning = show_warning
            try:
                code = super().main(*args, **options)
                sys.stdout.flush()
            except (click.ClickException, click.Abort, OSError) as error:
                code = fail(error)
            except Exception:
                if interruption.answered():
                    interruption.leave()
                raise
        sys.exit(code if isinstance(code, int) else 0)


def fail(error: BaseException) -> int:
    """Say what happened; the exit code."""
    message, code = explain(error)
    if isinstance(error, OSError):
        try:
            sys.stdout.flush()
        except OSError:
            silence(sys.stdout)
    if message:
        say(with_words_cut(message))
    return code
