"""Commands in processes of their own."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

PATIENCE = 60  # seconds after which a hanging process fails a test


def launch(command, folder, environment=None, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(command, cwd=folder, env=os.environ | (environment or {}), text=True, **options)


def finish(process, code):
    try:
        stdout, stderr = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()  # nothing, where it has ended
    assert process.returncode == code, (stdout, stderr)
    assert "Traceback" not in stderr
    assert "Exception ignored" not in stderr
    return stdout, stderr


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


def check_interrupt(program):
    """A Python program that prints `started`, works long, and prints `interrupted`, hears Ctrl-C."""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "started\n"
        time.sleep(0.3)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=2)[0] == "interrupted\n"
    finally:
        child.kill()
        child.wait()
