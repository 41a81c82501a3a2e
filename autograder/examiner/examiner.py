"""The examiner: sends the student's cells to the other process, and runs the tests itself."""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import hmac
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from autograder import checks
from autograder.examiner import faults, forgeable, prints_and_figures, testcell, verdicts
from autograder.examiner.names import FORGEABLE, Names
from autograder.examiner.notebook import Notebook
from autograder.examiner.recording import Recording
from autograder.examiner.student_process import Door, StudentProcess
from autograder.wire import messages
from autograder.wire.alarm import Alarm, CellTimeout, describe_timeout
from autograder.wire.channel import CallChannel, ConnectionClosed
from autograder.wire.contract import Cell, CellRun, Incident, Limits, Role, Verdict
from autograder.wire.errors import Unanswerable, class_name
from autograder.wire.files import File
from autograder.wire.run import Run, use_run
from autograder.wire.waiting import Allowance

MAX_INPUT_CALLS = 10_000  # of one test: its own `input` may store each call
MAX_PROMPT_CHARACTERS = 1_000
MAX_LINES, MAX_LINE_CHARACTERS = 200, 20_000  # of a traceback that is shown

Report = Callable[[int, CellRun, list[Incident]], None]


class Examiner:
    """The process that runs one notebook's cells, in order, over a channel to the student process.

    All cells together have `seconds`, not counting the start of the student process and waits for a
    core. Their outputs are kept, up to `output_bytes` in total. If that is 0, verdicts have no
    tracebacks.
    """

    def __init__(
        self,
        door: Door,
        limits: Limits,
        seed: bytes,
        seconds: float,
        output_bytes: int,
        files: Sequence[File] = (),
    ) -> None:
        self._other = StudentProcess(
            door,
            limits,
            hmac.digest(seed, b"generators", "sha256"),
            self._take_output,
            files,
            self._read_input,
        )
        self._alarm = Alarm(lambda: self._channel.busy, self._other.waits)
        self._names = Names(Notebook(self._other))
        self._prints = prints_and_figures.Prints(
            lambda text: self._recording.stream("stdout", text), limits.output_bytes
        )
        self._watches_arguments = self._keeps_prints = False  # whether a test so far needs it
        self._limits = limits
        self._seed = seed
        self._input = builtins.input
        self._recording = Recording(0, in_test=False)
        self._incidents: list[Incident] = []
        self._cell = Cell(Role.STUDENT, "", "")
        self._waiting_seconds = 0.0  # of waiting for a core
        self._time = Allowance(seconds, lambda: self._waiting_seconds)
        self._stops = 0  # tests stopped since the student's last cell
        self._is_shown = output_bytes > 0
        self._output_left = output_bytes
        self._picture = ""
        self._input_calls = 0  # lines of input that the current cell has read
        self._run = Run(folder=self._other, take_picture=self._take_picture)

    @property
    def _channel(self) -> CallChannel:
        return self._other.channel

    @property
    def seconds_left(self) -> float:
        return max(self._time.left, 0.0)

    @property
    def stopped(self) -> str:
        """The reason why no more cells of this notebook can run, "" if they can."""
        if self._time.left <= 0:
            return f"the notebook had used up its {self._limits.notebook_seconds:g} s"
        return str(self._channel.closed) if self._other.given_up else ""

    def run(self, cells: Iterable[tuple[int, Cell]], report: Report) -> set[int]:
        """Run the numbered cells; `report` each when it is done, with its incidents.

        Return the numbers of the student's cells that ended the student process.
        """
        prints_and_figures.close_figures()  # of the process from which this one was forked
        execution_count, fatal_numbers = 0, set()
        for number, cell in cells:
            execution_count += bool(cell.source.strip())
            report(number, self._run_cell(cell, execution_count), self._incidents)
            self._incidents = []
            if cell.role.is_away and self._channel.closed is not None:
                fatal_numbers.add(number)
        return fatal_numbers

    def check(self) -> None:
        """Raise `NoStudentProcess` if the student process is not ready for a first cell."""
        self._other.check()

    def leave(self) -> None:
        """End the student process."""
        self._other.leave()

    def _run_cell(self, cell: Cell, count: int) -> CellRun:
        is_test = cell.role.is_test
        if not cell.source.strip():
            return CellRun(verdict=verdicts.PASSED if is_test else None)
        self._cell, self._picture, self._input_calls = cell, "", 0
        self._stops = 0 if cell.role is Role.STUDENT else self._stops
        # A test that was stopped may have left them set.
        self._run.student_calls, self._run.stated = 0, None
        self._recording = Recording(self._output_limit(), in_test=is_test)
        began, waited_before = time.monotonic(), self._waiting_seconds
        student_before = self._channel.waited
        with self._count_waiting(), use_run(self._run):
            verdict = self._judge(cell, count)
        seconds = time.monotonic() - began
        if self._recording.over_limit:
            self._incident(Incident.OUTPUT, "it wrote more output than it may")
        if is_test and any(incident.kind == Incident.TIMEOUT for incident in self._incidents):
            self._stops += 1
        self._output_left -= self._recording.used
        return CellRun(
            self._recording.finished(count),
            count,
            student_seconds=max(self._channel.waited - student_before, 0.0),
            seconds=seconds,
            own_seconds=max(seconds - (self._waiting_seconds - waited_before), 0.0),
            picture=self._picture,
            verdict=verdict if is_test else None,
        )

    def _judge(self, cell: Cell, count: int) -> Verdict | None:
        reason = self._find_obstacle()
        if not reason:
            return self._dispatch(count)
        if not cell.role.is_test:
            self._show_error("ConnectionClosed", f"not run: {reason}")
        return verdicts.not_run(
            "ConnectionClosed", f"not run: {reason}", cell.role is Role.FORGEABLE
        )

    @contextlib.contextmanager
    def _count_waiting(self) -> Iterator[None]:
        """Add the time that a cell waits for a core to the notebook's waiting time."""
        waited_before = self._other.waits()
        yield
        self._waiting_seconds += self._other.waits() - waited_before

    def _output_limit(self) -> int:
        return min(self._limits.output_bytes, self._output_left)

    def _find_obstacle(self) -> str:
        """Replace a lost student process if allowed; return why the cell can't run, or ""."""
        if self._time.left > 0 and self._other.set_up(self._cell.name, self._time):
            self._names.forget()
        if self._cell.role is not Role.EXAMINER and self._channel.closed is not None:
            return str(self._channel.closed)
        return self.stopped if self._time.left <= 0 else ""

    def _dispatch(self, count: int) -> Verdict | None:
        """Run the cell where its role says; return the verdict of a test, None for other cells."""
        try:
            if self._cell.role is Role.EXAMINER:
                return self._examine()
            if self._cell.role is Role.FORGEABLE:
                return self._run_forgeable(count)
            failed = self._run_student_cell(count)
            if self._cell.role is Role.BOTH:
                self._repeat_quietly(failed)
        except BaseException as error:  # the alarm can ring between any two lines
            self._alarm.off()
            cause = error.__context__ if isinstance(error, CellTimeout) else None
            verdict = self._fail(cause or error, f"<{self._cell.name}>")
            if self._cell.role.is_test:
                return dataclasses.replace(verdict, forgeable=self._cell.role is Role.FORGEABLE)
            self._show_error(verdict.error, verdict.losses[0].message)
        return None

    def _run_student_cell(self, count: int) -> bool:
        """Run the cell in the student process; return whether it ended in an error."""
        return self._send_cell("run", count, messages.ERROR, lambda answer: answer) is not None

    def _run_forgeable(self, count: int) -> Verdict:
        """Run a forgeable test; return the verdict that the student process gives."""
        # If another test used a helper from this one, that test would be forgeable, too.
        self._names.lose(self._cell.source, f"<{self._cell.name}>", FORGEABLE)
        answer = self._send_cell("test", count, None, forgeable.ending_of)
        own_traceback = self._own_traceback(forgeable.error_number(answer))
        return forgeable.verdict_of(answer, self._cell.most, tuple(own_traceback))

    def _send_cell(self, request: str, count: int, unanswered: object, ending: Callable) -> Any:
        """Run the cell in the student process by this request; return the answer.

        `ending` reads from the answer how the cell ended: see `messages.ENDINGS`.
        """
        self._names.forget()
        answer, limit = unanswered, self._cell_seconds()
        with self._student_time(finish=False) as seconds_used, self._report_end_inside():
            answer = self._channel.request(request, self._cell.source, count)
        ending_kind = ending(answer)
        if ending_kind == messages.TIMEOUT and seconds_used() >= limit:
            self._incident(Incident.TIMEOUT, f"after {limit:.2g} s")
        elif ending_kind in _INCIDENTS:  # the message leaves out the time, which varies
            self._incident(_INCIDENTS[ending_kind], "")
        if self._channel.closed is None and ending_kind in (None, messages.ERROR):
            self._other.ran(self._cell.source, count)
        return answer

    def _examine(self) -> Verdict:
        """Run a test; it fails if the student process ends while the test needs it."""
        filename = f"<{self._cell.name}>"
        channel = self._channel
        channel.after_calls = self._flush_prints
        was_open, changed_before = channel.closed is None, channel.changed
        self._watches_arguments |= testcell.may_compare_arguments(self._cell.source)
        channel.start_test(testcell.may_keep_values(self._cell.source))
        self._keeps_prints |= "std" in self._cell.source  # sys.stdout or sys.stderr
        with self._student_time(), self._prints.taken(in_test=True):
            verdict = self._attempt(filename, was_open)
            if channel.changed > changed_before and not verdicts.has_failed(verdict):
                verdict = verdicts.choose_worse(verdict, self._attempt_changed(filename, was_open))
        if was_open and channel.closed is not None and not verdicts.has_failed(verdict):
            return self._fail(channel.closed, filename)  # the process ended after the test
        return verdict

    def _attempt(self, filename: str, was_open: bool) -> Verdict:
        self._seed_generators()
        channel, refused_before = self._channel, self._channel.refused
        self._other.refusal = self._run.unanswerable = None
        try:
            value = self._names.run(self._cell.source, filename)
            for data in prints_and_figures.figures():
                self._recording.display({"image/png": data}, {})
            verdict = verdicts.of_value(value, self._names.reckons(self._cell.source, filename))
            if channel.closed is not None and (was_open or channel.refused > refused_before):
                raise channel.closed
            if self._other.refusal is not None:  # the test has caught this error
                raise self._other.refusal
            if self._run.unanswerable is not None:
                raise self._run.unanswerable
            if channel.closed is None and channel.keeps_values:
                self._refuse_shadowed(filename)
            return verdict
        except BaseException as error:
            self._alarm.off()
            return self._fail(self._run.unanswerable or error, filename)

    def _refuse_shadowed(self, filename: str) -> None:
        """Raise if the notebook has replaced a built-in function that a passed test uses."""
        if name := self._names.find_shadowed(self._cell.source, filename):
            raise Unanswerable(
                f"the notebook has a {name!r} of its own, and the test uses Python's own function"
            )

    def _seed_generators(self) -> None:
        """Seed this cell's generators by its name, independently of earlier cells."""
        checks.set_seed(hmac.digest(self._seed, self._cell.name.encode(), "sha256"))

    def _attempt_changed(self, filename: str, was_open: bool) -> Verdict:
        """Run a passed test once more, and repeat changes of arguments on the test's own objects.

        Student code then changes the test's own objects, as in one process. Both runs must pass. So
        a function that changes its arguments is detected. Afterwards all names are restored.
        """
        first_recording, self._recording = self._recording, Recording(0, in_test=True)
        try:
            with self._names.preserve(), self._channel.changing_arguments():
                return self._attempt(filename, was_open)
        finally:
            self._recording = first_recording

    def _repeat_quietly(self, failed: bool) -> None:
        """Run a locked cell here too, without outputs: the student process has shown them."""
        first_recording, self._recording = self._recording, Recording(0, in_test=True)
        self._seed_generators()
        try:
            with self._student_time(), self._prints.taken(in_test=False):
                self._names.run(self._cell.source, f"<{self._cell.name}>")
        except BaseException as error:
            if failed or faults.is_from_student(error):
                self._names.lose(self._cell.source, f"<{self._cell.name}>")
            if not failed:
                self._incident(Incident.GRADER, faults.describe_locked_failure(error))
        finally:
            self._recording = first_recording
            prints_and_figures.close_figures()

    @property
    def _cell_limit(self) -> float:
        """The seconds of a cell, halved after each stopped test.

        So an endless answer takes at most twice a cell's time, whatever the number of its tests.
        """
        return self._limits.cell_seconds / 2**self._stops

    def _cell_seconds(self) -> float:
        return min(self._cell_limit, self._time.left)

    @contextlib.contextmanager
    def _student_time(self, finish: bool = True) -> Iterator[Callable[[], float]]:
        """Limit a cell's time on both sides; yield a function that returns the seconds used."""
        began, seconds = time.monotonic(), self._cell_seconds()
        message = describe_timeout(self._cell.name, seconds)
        if self._channel.closed is None:
            self._other.begin(seconds)
        if not self._cell.role.is_away:
            self._alarm.set(seconds, message)
        if self._channel.closed is None:
            is_test = self._cell.role is Role.EXAMINER
            max_bytes = (
                self._limits.output_bytes
                if is_test and self._keeps_prints
                else self._output_limit()
            )
            watches = is_test and (self._watches_arguments or self._channel.keeps_values)
            self._channel.notify_later("start", seconds, message, max_bytes, watches)
        try:
            yield lambda: time.monotonic() - began
        finally:
            self._alarm.off()
            if finish and self._channel.closed is None:
                with self._report_end_inside():
                    self._channel.request("finish")

    @contextlib.contextmanager
    def _report_end_inside(self) -> Iterator[None]:
        """Report an end of the student process inside the block, and continue without it."""
        try:
            yield
        except ConnectionClosed:
            pass
        except Exception as error:
            if testcell.remote_number(error) is None:
                raise
            # A thread of the notebook can raise an error at any time: it belongs to the cell.
            if not self._cell.role.is_test:
                self._show_error(class_name(error), str(error))
        if self._channel.closed is not None:
            self._report_end()
            if not self._cell.role.is_test:
                self._show_error("ConnectionClosed", str(self._channel.closed))

    def _report_end(self) -> None:
        if incident := self._other.note_the_end(self._cell.name):
            self._incidents.append(incident)

    def _fail(self, error: BaseException, filename: str) -> Verdict:
        if self._cell.role is Role.EXAMINER:
            self._names.lose(self._cell.source, filename)
        if isinstance(error, ConnectionClosed) and self._channel.closed is not None:
            self._report_end()
            # The traceback leads to the line of the test, and so to the hint of that line.
            error = self._channel.closed.with_traceback(error.__traceback__)
        if isinstance(error, CellTimeout):
            self._incident(Incident.TIMEOUT, f"after {self._cell_limit:.2g} s")
            if testcell.remote_number(error) is not None:  # the student process may send any text
                stop = CellTimeout(describe_timeout(self._cell.name, self._cell_limit))
                error = stop.with_traceback(error.__traceback__)
        own_lines = self._own_traceback(testcell.remote_number(error))
        verdict = verdicts.of_error(error, self._cell.name, self._cell.source, filename, own_lines)
        fault = faults.fault_of(error, filename, self._names.untouched)
        unanswerable = isinstance(error, Unanswerable) and not error.limit
        missing = faults.missing_name(error)
        return dataclasses.replace(verdict, fault=fault, missing=missing, unanswerable=unanswerable)

    def _own_traceback(self, number: int | None) -> list[str]:
        """Return the traceback of a student's error as the notebook itself would show it."""
        if number is None or self._channel.closed is not None or not self._is_shown:
            return []
        try:
            lines = self._channel.request("traceback", number)
        except (ConnectionClosed, CellTimeout, Exception):
            return []
        is_text = type(lines) is list and all(type(line) is str for line in lines)
        return [line[:MAX_LINE_CHARACTERS] for line in lines[:MAX_LINES]] if is_text else []

    def _show_error(self, name: str, message: str) -> None:
        self._recording.error(name, message, [f"{name}: {message}"])

    def _incident(self, kind: str, message: str) -> None:
        self._incidents.append(Incident(kind, self._cell.name, message))

    def _take_output(self, output: list) -> None:
        if output[0] == "stream" and self._prints.redirected:
            self._prints.pass_on(*output[1:])
        else:
            self._recording.take(output)

    def _flush_prints(self) -> None:
        """Fetch the text that student code printed in a call, so that it appears at the call."""
        if self._prints.redirected:
            self._channel.request("flush")

    def _read_input(self, *prompt: object) -> list:
        """Return the line that student code gets from `input`, in a list.

        If a test has replaced this process' own `input`, the line is from that function. Otherwise
        the list is empty.
        """
        if self._cell.role is not Role.EXAMINER or builtins.input is self._input:
            return []
        self._input_calls += 1
        if self._input_calls > MAX_INPUT_CALLS:
            raise EOFError(f"input() was called more than {MAX_INPUT_CALLS:,} times by one test")
        try:
            return [builtins.input(*(str(text)[:MAX_PROMPT_CHARACTERS] for text in prompt[:1]))]
        except StopIteration:  # this error would end a generator in student code
            raise EOFError("input() was called more often than the test has lines") from None

    def _take_picture(self, picture: str) -> None:
        self._picture = self._picture or picture
        self._recording.display({"image/svg+xml": picture}, {})


_INCIDENTS = {messages.MEMORY: Incident.MEMORY, messages.EXIT: Incident.EXIT}
