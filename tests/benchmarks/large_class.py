"""A large class on two cores: seconds, memory, and whether the progress bar tells the truth.

    python tests/benchmarks/large_class.py [STUDENTS]

Grades 2,000 submissions with `autograder grade` in a terminal, one in sixteen of them with an
endless loop that is stopped after 3 s, and looks at it from outside twice a second: at the memory
of its processes together, in which the kernel divides what they share (PSS), and at the results on
the disk, which the bar must never be ahead of. Ends with an error where the memory is more than
1 GiB, the bar was wrong, or it took longer than 240 s on two cores.
"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from itertools import cycle, pairwise
from pathlib import Path

from autograder.classroom.course.folders import Course
from autograder.classroom.releasing.release import release
from autograder.demo import SAMPLE_CLASS, filled_in, sample

NAME = "ps03"
WORKERS = 2
LIMIT = 1 << 30  # bytes, in all
SECONDS = 240  # for 2,000 on two cores
LOOP_EVERY, CELL_SECONDS = 16, 3
WITH_A_LOOP = "ivan"
LAG = 1.0  # seconds by which the bar may be behind: it is drawn a few times a second
LOOK_SECONDS = 0.5
STUDENTS = ("ada", "bela", "chen", "dora", "emil", "fatima")  # of the sample class, in turn
STAGES = (0.1, 0.5, 1.0)
_DONE = re.compile(r"(\d+)/(\d+)")
_PSS = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)
_RSS = re.compile(r"^Rss:\s+(\d+) kB|^VmRSS:\s+(\d+) kB", re.MULTILINE)


def hand_in(course: Course, students: int) -> None:
    """Notebooks of the sample class, with a comment that makes each the student's own."""
    released = json.loads(course.released(NAME).read_text(encoding="utf-8"))
    answers = {name: sample(SAMPLE_CLASS / f"{name}.txt") for name in (*STUDENTS, WITH_A_LOOP)}
    for number, name in zip(range(students), cycle(STUDENTS), strict=False):
        answer = answers[name if (number + 1) % LOOP_EVERY else WITH_A_LOOP]
        student = f"student{number:04}"
        own = {name: f"# {student}\n{text}" for name, text in answer.items()}
        path = course.submitted(student, NAME)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(filled_in(released, own)), encoding="utf-8")


@dataclass
class Seen:
    """What was seen of the grading, second by second since it began."""

    course: Course
    students: int
    began: float = field(default_factory=time.perf_counter)
    memory: list[tuple[int, int]] = field(default_factory=list)  # results on the disk, bytes
    on_disk: list[tuple[float, int]] = field(default_factory=list)
    on_the_bar: list[tuple[float, int]] = field(default_factory=list)
    totals: set[int] = field(default_factory=set)
    ahead: int = 0

    def results(self) -> int:
        """How many there are now."""
        return len(list(self.course.results(NAME).glob("*.json")))

    def look(self, process: int) -> None:
        """At the memory and the disk, now."""
        finished = self.results()
        self.on_disk.append((time.perf_counter() - self.began, finished))
        self.memory.append((finished, sum(map(memory_of, [process, *descendants(process)]))))

    def hear(self, text: str) -> None:
        """What the terminal shows, now."""
        for done, total in _DONE.findall(text):
            if int(total) == self.students:
                self.totals.add(int(total))
                self.on_the_bar.append((time.perf_counter() - self.began, int(done)))
        if self.on_the_bar:
            self.ahead = max(self.ahead, self.on_the_bar[-1][1] - self.results())

    def peaks(self) -> list[int]:
        """The most memory until each stage, since the one before."""
        bounds = [0, *(round(stage * self.students) for stage in STAGES)]
        return [
            max((size for done, size in self.memory if low <= done <= high), default=0)
            for low, high in pairwise(bounds)
        ]

    def most_behind(self) -> float:
        """By how many seconds the bar was late at most."""
        late = 0.0
        for when, finished in self.on_disk:
            shown = [moment for moment, done in self.on_the_bar if done >= finished > 0]
            late = max(late, min(shown) - when) if shown else late
        return late


def memory_of(process: int) -> int:
    """Its share of memory in bytes; in full where the kernel doesn't tell us its share."""
    for name, pattern in (("smaps_rollup", _PSS), ("status", _RSS)):
        try:
            found = pattern.search(Path(f"/proc/{process}/{name}").read_text())
        except (FileNotFoundError, ProcessLookupError):
            return 0
        except PermissionError:
            continue
        return int(next(filter(None, found.groups()))) * 1024 if found else 0
    return 0


def descendants(process: int) -> list[int]:
    found, waiting = [], [process]
    while waiting:
        for children in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            try:
                below = [int(child) for child in children.read_text().split()]
            except (FileNotFoundError, ProcessLookupError):
                continue
            found += below
            waiting += below
    return found


def watched(course: Course, students: int) -> tuple[Seen, float]:
    """Grade the class in a terminal; what was seen, and how many seconds it took."""
    ours, theirs = pty.openpty()
    seen, said = Seen(course, students), []
    command = [sys.executable, "-m", "autograder.cli", "grade", str(course.root), NAME]
    command += ["--jobs", str(WORKERS), "--cell-seconds", str(CELL_SECONDS), "--allow-weak-sandbox"]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "150"}
    with subprocess.Popen(
        command,
        stdout=theirs,
        stderr=theirs,
        env=environment,
    ) as process:
        os.close(theirs)
        listener = threading.Thread(target=_listen, args=(ours, seen, said))
        listener.start()
        while process.poll() is None:
            seen.look(process.pid)
            time.sleep(LOOK_SECONDS)
        seconds = time.perf_counter() - seen.began
        listener.join()
    os.close(ours)
    if process.returncode not in (0, 3):
        sys.exit(f"grading failed with {process.returncode}:\n{''.join(said)[-2000:]}")
    return seen, seconds


def _listen(terminal: int, seen: Seen, said: list[str]) -> None:
    while True:
        try:
            data = os.read(terminal, 65_536)
        except OSError:  # so Linux says that nobody writes there any more
            return
        text = data.decode("utf-8", "replace")
        said.append(text)
        seen.hear(text)


def main(students: int = 2000) -> None:
    with tempfile.TemporaryDirectory(prefix="dplab-benchmark-") as folder:
        course = Course.at(Path(folder) / "course")
        release(course, NAME)
        hand_in(course, students)
        seen, seconds = watched(course, students)
        graded = seen.results()
    peaks = seen.peaks()
    cores = len(os.sched_getaffinity(0))
    print(f"{graded} of {students} submissions graded by {WORKERS} workers on {cores} cores")
    print(f"in {seconds:.1f} s, {1000 * seconds / students:.0f} ms each")
    for stage, peak in zip(STAGES, peaks, strict=True):
        print(f"most memory until {stage:4.0%}: {peak / (1 << 20):6.0f} MiB")
    late = seen.most_behind()
    print(f"the bar was drawn {len(seen.on_the_bar)} times, ahead of the disk by {seen.ahead} "
          f"at most, behind it by {late:.2f} s at most")  # fmt: skip
    wrong = _wrong(seen, graded, students, late, max(peaks))
    if seconds > SECONDS * students / 2000:
        wrong.append(f"WRONG: more than {SECONDS * students / 2000:g} s")
    sys.exit("\n".join(wrong) if wrong else 0)


def _wrong(seen: Seen, graded: int, students: int, late: float, peak: int) -> list[str]:
    shown = [done for _, done in seen.on_the_bar]
    checks = {
        "not everybody was graded": graded == students,
        "more than 1 GiB": peak <= LIMIT,
        "no bar was seen": seen.totals == {students},
        "the bar was ahead of the results": seen.ahead <= 0,
        "the bar was late": late <= LAG,
        "the bar went backwards": shown == sorted(shown),
    }
    return [f"WRONG: {what}" for what, holds in checks.items() if not holds]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
