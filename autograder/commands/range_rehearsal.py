"""Rehearse the range of a course before its students get it."""

from __future__ import annotations

import json
import math
import shlex
import sys
from typing import TYPE_CHECKING

import click

from autograder.commands.common import console, course_to_be
from autograder.session import DONE, LOOK

if TYPE_CHECKING:
    from rich.table import Table

    from autograder.rehearsal.audit_range.rehearse import Attacked, KeyRehearsal


@click.command("range")
@click.argument("course", metavar="COURSE")
@click.option(
    "--students",
    type=click.IntRange(1, 1000),
    default=3,
    show_default=True,
    help="Number of students whose keys are tried, after 'autograder vary --each'.",
)
@click.option("--json", "as_json", is_flag=True, help="Print it for a program.")
def rehearse_range(course: str, students: int, as_json: bool) -> None:
    """Rehearse the problem set range, and say whether each of its releases is fair.

    For each key of COURSE the command lists the thirty releases: which of them break their claims,
    by which mistake, and what epsilon a reference attack proves. The attack only calls the
    releases. It also tries two bad students: one who says "keeps it" everywhere, and one who
    accuses everything. If the set was varied with --each, students have keys of their own.
    Otherwise all have the same key. It takes about a minute for a key.

    \b
    Example:
      autograder range ~/privacy-course --students 5

    \b
    Exit codes:
      0    each release is fair, and bad students get no points
      1    the set can't be rehearsed; the message says why
      3    a release is unfair, or a level is too easy
    """
    import numpy as np

    from autograder.rehearsal.audit_range.keys import COMMON, find_keys
    from autograder.rehearsal.audit_range.rehearse import rehearse_key

    out, rng = console(stderr=as_json), np.random.default_rng()
    out.quiet = as_json
    earlier_attacks: dict[tuple, Attacked] = {}
    rehearsals = {}
    for student, key in find_keys(course_to_be(course), students).items():
        rehearsals[student] = rehearsal = rehearse_key(key, rng, earlier_attacks)
        out.print(_table(student, rehearsal))
        for problem in rehearsal.problems:
            out.print(f"{student}: {problem}", style="red", markup=False)
    if COMMON in rehearsals:
        out.print(
            "All students have this key, and can share witnesses. To give each another key, run: "
            f"autograder vary {shlex.quote(course)} range --each",
            markup=False,
        )
    problems = [problem for rehearsal in rehearsals.values() for problem in rehearsal.problems]
    if as_json:
        print(json.dumps({student: _summary(one) for student, one in rehearsals.items()}))
    elif not problems:
        out.print("Each release is fair: the reference attack proves what breaks, and no more.")
    sys.exit(LOOK if problems else DONE)


def _table(student: str, rehearsal: KeyRehearsal) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table("", "level", "release", "what breaks", "claim", "proved", "s", box=SIMPLE_HEAD)
    table.title = f"The range of {student}"
    for number, one in rehearsal.attacked.items():
        scenario, release = one.target.scenario, one.target.release
        mistake = scenario.mistake if one.target.is_broken else "-"
        claim = f"{release.epsilon:g}" + (f", {release.delta:g}" if release.delta else "")
        row = (number, scenario.level, scenario.name, mistake, claim, _show(one), one.seconds)
        table.add_row(*map(str, row[:-1]), f"{row[-1]:.1f}")
    return table


def _show(one: Attacked) -> str:
    if not one.proved:
        return "-"
    return "any" if math.isinf(one.proved) else f"{one.proved:.2f}"


def _summary(rehearsal: KeyRehearsal) -> dict:
    """Return what was found, as plain data; an infinite epsilon becomes None."""
    releases = [
        {
            "number": number,
            "level": one.target.scenario.level,
            "scenario": one.target.scenario.name,
            "numbers": dict(one.target.numbers),
            "broken": one.target.is_broken,
            "proved": None if math.isinf(one.proved) else one.proved,
            "seconds": round(one.seconds, 2),
        }
        for number, one in rehearsal.attacked.items()
    ]
    shares = {"lazy": rehearsal.lazy_shares, "junk": rehearsal.junk_shares}
    return {"releases": releases, "shares": shares, "problems": list(rehearsal.problems)}
