"""Run many searches side by side on an engine, and keep what each has reached safe in a study."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from topoctl import interruption
from topoctl.engine.epochs import Progress, epochs_task, progress_of
from topoctl.engine.protocol import Answer, Engine
from topoctl.errors import Damaged, TopoctlError
from topoctl.search.protocol import Search, SearchState, Status
from topoctl.study.runner import RunOutcome, StoredRun

# A task costs this process milliseconds, so that one process keeps hundreds of workers busy.
TASK_SECONDS = 2.0
"""A task is as many epochs of a search as take this long, at least."""
# Beyond this share workers would wait for the coordinator.
PART = 0.25
"""The share of its time that this process may spend between tasks; beyond it, tasks are made longer."""
# Little of what a link of 1 Gbit/s carries.
BYTES_PER_SECOND = 5_000_000
"""How much of the states may go out, come back and be stored, on average."""
FADING = 1 / 16
"""The weight of a new measurement in the mean time between two tasks."""
GROWTH = 8
"""A task makes at most so many times the epochs of the one before; an answer of later ones is none."""
POLL_SECONDS = 0.5
STUDY = attrgetter("study")


@dataclass(frozen=True)
class Job:
    """A search that is to be run to its end.

    Attributes:
        search: with all parameters fixed.
        stored_run: where its checkpoints are kept, or None.
        planning: seconds spent on the plan of a new run, a part of its time.
    """

    search: Search
    stored_run: StoredRun | None = None
    planning: float = 0.0


Outcome = RunOutcome | TopoctlError | None
"""How far a job came; the error that ended it; None where Ctrl-C came before it had a state."""

OnStatus = Callable[[int, Status, float], None]
"""Called with the number of a job, counted from 0, what its search says of itself, and its seconds so far."""
OnEnded = Callable[[int, Outcome], None]
"""Called with the number of a job that has ended, and its outcome."""


def run_many(jobs: Sequence[Job], engine: Engine, on_status: OnStatus, on_ended: OnEnded) -> list[Outcome]:
    """Run searches to their ends, each from its last checkpoint where it has one.

    A job that has begun continues before another one begins, so that there is always something finished to
    show. Every state that comes back is a checkpoint; an interruption, or the death of this process, loses
    the tasks under way, never more. What each search finds depends on neither the engine nor the others.

    Args:
        jobs: in the order in which they begin.
        engine: where the epochs run.
        on_status: called after every task, and where a job begins from a checkpoint.
        on_ended: called once a job has ended by itself.

    Returns:
        The outcomes of the jobs, in their order, without jobs that Ctrl-C left without a state.

    A checkpoint that cannot be written ends all jobs as Ctrl-C does; it is the fault in their outcomes.

    Raises:
        TopoctlError: a checkpoint is damaged, or the engine is lost; runs keep their last states.
    """
    courses = [Course(number, job) for number, job in enumerate(jobs)]
    try:
        with interruption.raised():
            Coordinator(courses, engine, on_status, on_ended).run()
    except (KeyboardInterrupt, _Unkept):
        leave_off(courses)
    except BaseException:
        with suppress(TopoctlError):  # what is wrong with a study has been said
            leave_off(courses)
        raise
    return [course.outcome for course in courses]


class _Unkept(Exception):  # noqa: N818 - a checkpoint could not be written
    """The study of a course cannot be written any more; why is the fault of the course."""


class Course:
    """A job under way: its search, where it is kept, its last state, and its outcome once it has ended.

    Its next task makes so many `epochs` at most. A state that a task then fails from is `undone`, once: it
    may be nonsense that looks like a state.
    """

    def __init__(self, number: int, job: Job) -> None:
        self.number, self.search, self.stored_run = number, job.search, job.stored_run
        self.progress = Progress(None, job.planning)
        self.former: Progress | None = None
        self.epochs, self.undone = 1, False
        self.outcome: Outcome = None
        self.fault: TopoctlError | None = None

    @property
    def state(self) -> SearchState | None:
        """The last state; None before the first."""
        return self.progress.state

    def begin(self) -> None:
        """Read the last checkpoint, if there is one; a search that begins from a file reads the file here."""
        stored, search = self.stored_run, self.search
        state = stored.study.state(stored.id, search) if stored else None
        if stored and state:
            self.progress = Progress(state, stored.study.run(stored.id).seconds)
        elif search.parameters.get("start") is not None:
            began = time.monotonic()
            state = search.first_state()
            self.progress = Progress(state, self.progress.seconds + time.monotonic() - began)
            self.save()

    def take(self, answer: Answer | Exception) -> None:
        """Take the answer of its task, and keep the state that it holds.

        Raises:
            StudyError: the checkpoint that it began from is damaged.
            Exception: an answer that no search may give.
        """
        if isinstance(answer, TopoctlError) and self.former is not None:
            self.progress, self.former = self.former, None
            self.save()
            if not self.undone:
                self.undone = True
                return
        if isinstance(answer, Damaged) and self.stored_run:
            with self.stored_run.study.reading(self.stored_run.id):
                raise answer
        if isinstance(answer, TopoctlError):
            self.outcome = answer
        elif isinstance(answer, Exception):
            raise answer
        else:
            before, self.progress = self.progress, progress_of(answer)
            assert self.state is not None
            self.former = before if before.state else None
            self.epochs = GROWTH * max(1, self.state.epoch - (before.state.epoch if before.state else 0))
            self.save()

    def save(self) -> None:
        """Write the checkpoint.

        Raises:
            _Unkept: it cannot be written.
        """
        if self.stored_run and self.state:
            try:
                self.stored_run.study.save(self.stored_run.id, self.state, self.progress.seconds, "running")
            except TopoctlError as error:
                self.fault = error
                raise _Unkept from error

    def end(self) -> bool:
        """Return whether the job has ended, and set its outcome then."""
        if self.outcome is None and self.state and self.search.finished(self.state):
            self.outcome = RunOutcome(self.state, self.progress.seconds, interrupted=False)
        return self.outcome is not None


class Coordinator:
    """Keep an engine busy with the tasks of courses."""

    def __init__(
        self, courses: Iterable[Course], engine: Engine, on_status: OnStatus, on_ended: OnEnded
    ) -> None:
        self.waiting = deque(courses)
        self.engine, self.on_status, self.on_ended = engine, on_status, on_ended
        self.under_way: dict[int, Course] = {}
        self.handling = 0.0  # seconds of one submission, or of one answer

    def run(self) -> None:
        """Run all courses to their ends."""
        while self.waiting or self.under_way:
            while self.waiting and len(self.under_way) < self.engine.slots:
                self.submit(self.waiting.popleft())
            if self.under_way:  # or the engine would wait for nothing
                for number, answer in self.engine.completed(POLL_SECONDS):
                    self.handle(self.under_way.pop(number), answer)

    def submit(self, course: Course) -> None:
        """Submit the next task of a course, unless the course has ended."""
        if course.state is None:
            course.begin()
            self.say(course)
        if course.end():
            self.on_ended(course.number, course.outcome)
            return
        with self.counted():
            budget, threads = self.budget(course), self.engine.threads
            task = epochs_task(course.search, course.progress, budget, course.epochs, threads)
            self.under_way[self.engine.submit(task)] = course

    def handle(self, course: Course, answer: Answer | Exception) -> None:
        """Take the answer of a course, and put the course before courses that have not begun."""
        with self.counted(), interruption.held():
            course.take(answer)
            self.waiting.appendleft(course)
        self.say(course)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the time of the block as this process's own."""
        began = time.monotonic()
        yield
        self.handling += FADING * (time.monotonic() - began - self.handling)

    def budget(self, course: Course) -> float:
        """Return the seconds of a task: more where its state is large, or where tasks keep this process busy.

        The first one is an epoch, so that there soon is something to keep and to show.
        """
        if course.state is None:
            return 0.0
        travelling = sum(array.nbytes for array in course.state.arrays.values()) / BYTES_PER_SECOND
        return max(TASK_SECONDS, travelling, 2 * self.handling * self.engine.slots / PART)

    def say(self, course: Course) -> None:
        """Report how far a course is."""
        if course.state is not None and not isinstance(course.outcome, TopoctlError):
            self.on_status(course.number, course.search.status(course.state), course.progress.seconds)


def leave_off(courses: Sequence[Course]) -> None:
    """Note in the study which runs are interrupted, each with its last state."""
    left = [course for course in courses if course.outcome is None]
    fault = next((course.fault for course in courses if course.fault), None)
    with interruption.held():
        for course in left:
            if course.state is not None:
                finished = course.search.finished(course.state)
                course.outcome = RunOutcome(course.state, course.progress.seconds, not finished, fault)
        for study, stored in groupby((course.stored_run for course in left if course.stored_run), STUDY):
            with suppress(TopoctlError) if fault else nullcontext():
                if fault:
                    study.hurry()
                study.mark("run", [run.id for run in stored], "interrupted")
