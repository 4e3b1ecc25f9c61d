"""A reader sees the old file or the whole new one."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from topoctl.files import replacing


def write(path, data):
    with replacing(path) as file:
        file.write(data)


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "results.json"
    path.write_bytes(b"old")

    def fail():
        with replacing(path) as file:
            file.write(b"half of the new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path):
    write(tmp_path / "replaced", b"")
    (tmp_path / "plain").touch()
    assert (tmp_path / "replaced").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_an_old_file_keeps_its_mode_and_its_links(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_device_stays_a_device():
    write("/dev/null", b"gone")
    assert Path("/dev/null").is_char_device()


def test_a_missing_folder_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "missing" / "file", b"")


WRITER = """
import os, signal, sys
from topoctl.files import replacing
with replacing("results.json") as file:
    file.write(b"half")
    file.flush()
    if sys.argv[1] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    print("writing", flush=True)
    sys.stdin.readline()
"""


def test_what_a_killed_write_left_is_removed_by_the_next(tmp_path):
    for _ in range(2):
        subprocess.run([sys.executable, "-c", WRITER, "killed"], cwd=tmp_path, check=False, timeout=60)
    (left,) = tmp_path.iterdir()
    others = [f".results.json.x{left.suffix}", f".other.json.abcdefgh{left.suffix}", ".results.json.abcdefgh"]
    for name in others:
        (tmp_path / name).touch()
    (tmp_path / f".results.json.abcdefgh{left.suffix}").symlink_to(tmp_path / others[0])
    write(tmp_path / "results.json", b"new")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {*others, "results.json", f".results.json.abcdefgh{left.suffix}"}
    assert (tmp_path / "results.json").read_bytes() == b"new"


def test_what_another_process_is_writing_is_not_touched(tmp_path):
    command = [sys.executable, "-c", WRITER, "alive"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **streams) as other:
        try:
            assert other.stdout.readline() == "writing\n"
            write(tmp_path / "results.json", b"new")
            assert len(list(tmp_path.iterdir())) == 2
            other.communicate("go on\n", timeout=60)
        finally:
            other.kill()
    assert other.returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]
    assert (tmp_path / "results.json").read_bytes() == b"half"


def test_where_files_cannot_be_locked_nothing_is_taken_for_stale(tmp_path, monkeypatch):
    def unsupported(*_):
        raise OSError("no locks")

    monkeypatch.setattr("topoctl.files.fcntl.flock", unsupported)
    left = tmp_path / ".results.json.abcdefgh.topoctl"
    left.touch()
    write(tmp_path / "results.json", b"new")
    assert {path.name for path in tmp_path.iterdir()} == {"results.json", left.name}


def test_an_error_names_the_file_that_was_asked_for(tmp_path, monkeypatch):
    long = f"{'x' * 251}.json"
    with pytest.raises(OSError, match="File name too long") as failure:
        write(tmp_path / long, b"")
    assert failure.value.filename == str(tmp_path / long)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(FileNotFoundError) as failure:
        write("row.json", b"")
    assert failure.value.filename == "row.json"


def test_any_name_that_a_file_can_have_can_be_written(tmp_path):
    for name in (f"{'x' * 250}.json", f"{'é' * 125}.json"):
        write(tmp_path / name, b"new")
        assert (tmp_path / name).read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 2
