"""The study file and the runner, with the toy search."""

import shutil
import signal
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from topoctl.errors import StudyError, TopoctlError
from topoctl.search.protocol import SearchState
from topoctl.search.state import from_bytes, to_bytes
from topoctl.study import runner
from topoctl.study.groups import add_group, conclude_group, group_of
from topoctl.study.runner import StoredRun, run
from topoctl.study.store import Study
from toy_search import ToySearch

PARAMETERS = {"order": 32, "network_radix": 4, "epochs": 12, "seed": 5}
TOY = ToySearch(PARAMETERS)
DOCUMENT = {
    **{"schema": "topoctl.results/1", "command": "search equality", "parameters": PARAMETERS, "seed": 5},
    **{"evaluations": 10, "seconds": 1.5, "status": "finished", "published": None},
    "results": [{"rank": 1, "spec": "N32K4[-1,1,5,9]()", "diameter": 4, "aspl": 2.5, "meets_bound": False}],
}
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**130), 2**130)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
DTYPES = st.sampled_from([np.int8, np.int32, np.int64, np.uint64, np.float64, np.bool_])
ARRAYS = DTYPES.flatmap(lambda dtype: arrays.arrays(dtype, arrays.array_shapes(min_side=0, max_dims=3)))
NAMES = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=8)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "toy.db"


def ignore(status, seconds):
    pass


def same(one, other):
    assert (one.epoch, one.evaluations, one.notes) == (other.epoch, other.evaluations, other.notes)
    assert one.arrays.keys() == other.arrays.keys()
    for name, array in one.arrays.items():
        assert array.dtype == other.arrays[name].dtype
        np.testing.assert_array_equal(array, other.arrays[name])


@given(st.dictionaries(NAMES, ARRAYS, max_size=3), st.dictionaries(NAMES, JSON_VALUES, max_size=3))
def test_a_state_comes_back_from_its_bytes(named, notes):
    state = SearchState(3, 10**12, named, notes)
    same(from_bytes(to_bytes(state)), state)


def test_objects_are_never_pickled():
    state = SearchState(0, 0, {"odd": np.array([{}], dtype=object)}, {})
    with pytest.raises(TypeError, match="expected plain numbers"):
        to_bytes(state)


def test_runs_are_numbered_and_described(path):
    with Study(path) as study:
        assert [study.add_run("search equality", PARAMETERS, 5) for _ in range(2)] == [1, 2]
        first = study.run(1)
        assert (first.command, first.parameters, first.seed) == ("search equality", PARAMETERS, 5)
        assert first.status == "running"
        assert first.host.keys() >= {"cores", "processor", "python", "kernel"}
        with pytest.raises(StudyError, match=r"no run 3; expected 1\.\.2"):
            study.run(3)
    with Study(path, read_only=True) as study:
        assert [row.id for row in study.runs()] == [1, 2]


def test_a_study_is_a_file_whatever_its_name(folder):
    with Study(Path(":memory:")) as study:
        study.add_run("search equality", PARAMETERS, 5)
    with Study(Path(":memory:"), read_only=True) as study:
        assert study.run(1).command == "search equality"


def test_the_row_of_a_run_exists_before_its_first_checkpoint(path):
    with Study(path) as study:
        number = study.add_run("search equality", PARAMETERS, 5)
        assert study.state(number, TOY) is None


class Interrupting(ToySearch):
    """Receives Ctrl-C inside an epoch."""

    at = 4

    def step(self, state, threads):
        if state.epoch == self.at:
            signal.raise_signal(signal.SIGINT)
        return super().step(state, threads)


def test_an_interrupted_run_goes_on_to_the_same_result(path):
    whole = run(ToySearch(PARAMETERS), 1, None, ignore)
    with Study(path) as study:
        stored_run = StoredRun(study, study.add_run("search equality", PARAMETERS, 5))
        outcome = run(Interrupting(PARAMETERS), 1, stored_run, ignore)
        assert outcome.interrupted
        assert outcome.state.epoch == Interrupting.at
        assert study.run(stored_run.id).status == "interrupted"
        same(study.state(stored_run.id, TOY), outcome.state)
    with Study(path) as study:
        study.take_over(("run", 1))
        resumed = run(ToySearch(PARAMETERS), 1, StoredRun(study, 1), ignore)
    assert not resumed.interrupted
    same(resumed.state, whole.state)


class InterruptedWhileSaving(Study):
    """Receives Ctrl-C in the middle of every transaction."""

    def update(self, *arguments):
        super().update(*arguments)
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_while_saving_is_held_back_until_the_checkpoint_is_whole(path):
    with InterruptedWhileSaving(path) as study:
        stored_run = StoredRun(study, study.add_run("search equality", PARAMETERS, 5))
        with pytest.raises(
            KeyboardInterrupt
        ):  # the first save, and the second while the interruption is saved
            run(ToySearch(PARAMETERS), 1, stored_run, ignore)
    with Study(path) as study:
        assert study.run(1).status == "interrupted"
        same(study.state(1, TOY), ToySearch(PARAMETERS).first_state())


def test_a_full_disk_is_a_failure_and_keeps_the_last_checkpoint(path):
    small = TOY.first_state()
    large = SearchState(2, 20, {"a": np.random.default_rng(0).integers(0, 2**60, 100_000)}, {})
    with Study(path) as study:
        number = study.add_run("search equality", PARAMETERS, 5)
        study.save(number, small, 1.0, "running")
        pages = study.connection.execute("PRAGMA page_count").fetchone()[0]
        study.connection.execute(f"PRAGMA max_page_count = {pages + 10}")
        with pytest.raises(TopoctlError, match="full") as failure:
            study.save(number, large, 2.0, "running")
        assert failure.value.exit_code == 1
    with Study(path) as study:
        same(study.state(number, TOY), small)


def test_a_run_that_another_process_took_over_is_refused(path):
    state = ToySearch(PARAMETERS).first_state()
    with Study(path) as former, Study(path) as later:
        number = former.add_run("search equality", PARAMETERS, 5)
        later.take_over(("run", number))
        with pytest.raises(StudyError, match="another process has taken over run 1"):
            former.save(number, state, 1.0, "running")
        later.save(number, state, 1.0, "running")


def test_a_group_has_an_owner_from_its_first_row_until_its_study_is_closed(path):
    with Study(path) as former, Study(path) as later:
        group = add_group(former, "design", {})
        with pytest.raises(StudyError, match="a process is at work on group g1; stop it first"):
            later.delete((), (group.id,))
        later.take_over(("group", group.id), forced=True)
        for write in (
            lambda: former.add_run("search equality", PARAMETERS, 5, group.id),
            lambda: conclude_group(former, group.id, {}),
        ):
            with pytest.raises(StudyError, match="another process has taken over group g1"):
                write()
        assert later.add_run("search equality", PARAMETERS, 5, group.id) == 1
        former.close()
        assert group_of(later, group.id).status == "running"
    with Study(path) as study:
        assert group_of(study, group.id).status == "interrupted"


def test_a_finished_run_keeps_its_document_and_its_last_state(path):
    with Study(path) as study:
        number = study.add_run("search equality", PARAMETERS, 5)
        state = ToySearch(PARAMETERS).first_state()
        study.save(number, state, 1.0, "running")
        study.conclude(number, DOCUMENT, "finished")
        assert study.run(number).document == DOCUMENT
        same(study.state(number, TOY), state)


def test_checkpoints_are_written_between_epochs(path, monkeypatch):
    monkeypatch.setattr(runner, "CHECKPOINT_SECONDS", 0.0)
    seen = []
    with Study(path) as study:
        stored_run = StoredRun(study, study.add_run("search equality", PARAMETERS, 5))
        run(ToySearch(PARAMETERS), 1, stored_run, lambda status, seconds: seen.append(study.state(1, TOY)))
    assert [None if state is None else state.epoch for state in seen] == [0, *range(12)]


def whole_study(path):
    with Study(path) as study:
        for _ in range(50):
            study.add_run("search equality", PARAMETERS, 5)


def other_version(path):
    whole_study(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def other_program(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()


def truncated(path):
    whole_study(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwritten(path):
    whole_study(path)
    data = bytearray(path.read_bytes())
    data[4096:12288] = b"\xff" * 8192
    path.write_bytes(data)


def garbage(path):
    path.write_text("not a study " * 1000)


FAULTS = {
    other_version: "version 99",
    other_program: "another program",
    truncated: "damaged",
    overwritten: "damaged",
    garbage: "not an SQLite file",
}


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_file_that_is_no_whole_study_is_named_in_one_line(path, fault, read_only):
    fault(path)
    before = path.read_bytes()
    with pytest.raises(StudyError, match=FAULTS[fault]) as failure:
        Study(path, read_only=read_only)
    assert str(path) in str(failure.value)
    assert "\n" not in str(failure.value)
    assert path.read_bytes() == before


def test_a_missing_study_is_not_created_by_reading(path):
    with pytest.raises(StudyError, match="no such file"):
        Study(path, read_only=True)
    assert not path.exists()


def test_reading_leaves_nothing_beside_a_study_and_sees_what_a_writer_has_only_logged(path):
    log = path.with_name(f"{path.name}-wal")
    with Study(path) as writer:
        number = writer.add_run("toy", PARAMETERS, 5)
        assert log.stat().st_size
        with Study(path, read_only=True) as reader:
            assert [one.id for one in reader.runs()] == [number]
            more = writer.add_run("toy", PARAMETERS, 5)
            assert [one.id for one in reader.runs()] == [number, more]
        assert log.stat().st_size
        copies = [shutil.copy(one, one.with_name(f"copy-{one.name}")) for one in path.parent.glob("toy.db*")]
    before = {one: Path(one).read_bytes() for one in copies if not str(one).endswith("-shm")}
    assert len(before) == 2  # as a process that was killed leaves it
    with Study(path.with_name("copy-toy.db"), read_only=True) as killed:
        assert [one.id for one in killed.runs()] == [number, more]
    assert before == {one: Path(one).read_bytes() for one in before}
    whole = path.read_bytes()
    for _ in range(2):
        with Study(path, read_only=True) as reader, pytest.raises(StudyError, match="readonly"):
            reader.add_run("toy", PARAMETERS, 5)
        assert [*path.parent.glob("toy.db*")] == [path]
    assert path.read_bytes() == whole


def test_a_folder_that_cannot_be_written_is_a_study_error(tmp_path):
    with pytest.raises(StudyError, match="does not exist"):
        Study(tmp_path / "missing" / "toy.db")
    with pytest.raises(StudyError, match="a folder"):
        Study(tmp_path)


def test_a_copy_of_a_closed_study_is_whole(path, tmp_path):
    whole_study(path)
    shutil.copy(path, tmp_path / "copy.db")
    with Study(tmp_path / "copy.db", read_only=True) as study:
        assert len(study.runs()) == 50
