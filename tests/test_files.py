"""A reader sees the old file or the whole new one."""

import stat
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


def test_an_error_names_the_file_that_was_asked_for(tmp_path, monkeypatch):
    long = f"{'x' * 248}.json"
    with pytest.raises(OSError, match="File name too long") as failure:
        write(tmp_path / long, b"")
    assert failure.value.filename == str(tmp_path / long)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(FileNotFoundError) as failure:
        write("row.json", b"")
    assert failure.value.filename == "row.json"
