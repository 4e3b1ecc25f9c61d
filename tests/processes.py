"""Commands in processes of their own."""

import fcntl
import json
import os
import pty
import select
import sqlite3
import struct
import subprocess
import sys
import termios
import time
from contextlib import contextmanager
from typing import NamedTuple

import pytest

PATIENCE = 60  # seconds after which a hanging process fails a test
TOPOCTL = (sys.executable, "-m", "topoctl")


class Printed(NamedTuple):
    stdout: str
    stderr: str


def launch(command, folder, environment=None, **options):
    """Start any program; its streams are pipes of text."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.Popen(command, cwd=folder, env=os.environ | (environment or {}), **options)


def start(arguments, folder, environment=None, **options):
    """Start topoctl."""
    return launch([*TOPOCTL, *arguments], folder, environment, **options)


def finish(process, code):
    """What a process prints that ends with this exit code, or one of these; errors are never tracebacks."""
    codes = code if isinstance(code, tuple) else (code,)
    try:
        stdout, stderr = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()  # nothing, where it has ended
    assert process.returncode in codes, (stdout, stderr)
    for fault in ("Traceback", "Exception ignored"):
        assert fault not in (stderr or "")
    return Printed(stdout, stderr)


def complete(arguments, folder, code=0, environment=None, **options):
    """What topoctl prints, from its start to its end."""
    return finish(start(arguments, folder, environment, **options), code)


def wait_for_evaluations(folder, least):
    """Wait until a checkpoint holds so many evaluations."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            connection = sqlite3.connect(f"file:{folder / 'topoctl.db'}?mode=ro", uri=True)
            rows = connection.execute("SELECT evaluations FROM runs").fetchall()
            connection.close()
        except sqlite3.OperationalError:
            rows = []
        if rows and rows[0][0] >= least:
            return
        time.sleep(0.05)
    pytest.fail("no checkpoint was written")


def without_time(text):
    found = json.loads(text)
    found.pop("seconds")
    return found


class Terminal:
    """A command in a terminal of its own, and all that it has printed there."""

    def __init__(self, command, folder, environment, columns):
        self.process, self.screen = None, ""
        self.end, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - fish wants it
        )
        os.close(theirs)

    def read(self, until=None):
        """What is printed, until a text is among it, or until the command ends."""
        seen, deadline = len(self.screen), time.monotonic() + PATIENCE
        while until is None or until not in self.screen[seen:]:
            assert time.monotonic() < deadline, self.screen
            if select.select([self.end], [], [], 0.1)[0]:
                try:
                    text = os.read(self.end, 65536)
                except OSError:  # Linux's end of file
                    text = b""
                if not text:
                    assert until is None, self.screen
                    break
                self.screen += text.decode(errors="replace")
        return self.screen[seen:]

    def type(self, keys):
        os.write(self.end, keys.encode())


@contextmanager
def terminal(command, folder, environment=None, columns=80):
    opened = Terminal(command, folder, environment or {}, columns)
    try:
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()
        os.close(opened.end)
