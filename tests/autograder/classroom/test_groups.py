"""Groups that hand in together: everybody's points, nobody's twice, and what can't be is named."""

import json

import pytest
from click.testing import CliRunner

from autograder.classroom.course.folders import CourseError
from autograder.classroom.grading.results import find_all
from autograder.classroom.intake import collect_class, collection_record, groups
from autograder.classroom.intake.collect_class import CollectOptions
from autograder.classroom.intake.people import Person
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.running.progress import Progress
from autograder.classroom.sets.assignment import load
from autograder.cli import main
from autograder.exports.standings import find_standings
from autograder.pages.answers import alike_in_class
from autograder.wire.contract import Limits
from tests.autograder.classroom.handing_in import write
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.autograder.trusted_runner import WEAK

GRADERS = Graders(Limits(), WEAK, jobs=1)
TEAMS = {"ann": "red", "bob": "red", "cyd": "blue", "dan": "blue"}
RARE = "\n    ".join(f"part{i} = [v * {i + 2} for v in values if v > {7 * i}]" for i in range(9))
RARE = f"def mean(values):\n    {RARE}\n    return np.sum(values) / len(values)"


@pytest.fixture
def notebook(released):
    return as_bytes(answered(released))


def table(path, *lines, header="student_id,group"):
    path.write_text("\n".join([header, *lines]), encoding="utf-8")
    return path


def collect(course, folder, teams=TEAMS, **wanted):
    return collect_class.collect(course, "tiny", folder, CollectOptions(groups=teams, **wanted))


@pytest.mark.parametrize("who", ["bob", "red"])
def test_each_member_gets_what_the_group_handed_in(course, tiny, notebook, tmp_path, who, one_room):
    files = {f"{who}/tiny.ipynb": notebook, "eve/tiny.ipynb": notebook}
    found = collect(course, write(tmp_path / "in", files)).submissions
    results = grade_class(course, tiny, found, GRADERS)
    assert [(r.student, r.points) for r in results] == [("ann", 6), ("bob", 6), ("eve", 6)]
    assert [s.student for s in find_standings(course, tiny)] == ["ann", "bob", "eve"]
    (note,) = results[0].notes
    assert note.message == "Handed in for the group red, which has 2 members."
    assert results[2].notes == ()
    assert not (course.root / "submitted/red").exists()
    again = collect(course, course.root / "submitted").submissions
    seen = []
    watching = Progress()
    watching.finished = lambda result, kept: seen.append(kept)
    assert grade_class(course, tiny, again, GRADERS, progress=watching) == results
    assert seen == [True] * 3


def test_who_also_handed_in_alone_is_named_and_nothing_happens(
    course, notebook, released, tmp_path
):
    other = as_bytes(answered(released, {**SOLUTIONS, "double": "double = abs"}))
    files = {"red/tiny.ipynb": notebook, "bob/tiny.ipynb": other, "eve/tiny.ipynb": notebook}
    with pytest.raises(
        CourseError, match=r"the group 'red' handed in more than once, as 'bob', 're"
    ):
        collect(course, write(tmp_path / "in", files))
    assert not (course.root / "submitted").exists()
    with pytest.raises(CourseError, match="as 'ann', 'bob'"):
        collect(course, write(tmp_path / "two", {f"{n}/tiny.ipynb": other for n in ("ann", "bob")}))


def test_a_student_who_is_called_as_a_group_does_not_hand_in_for_it(course, notebook, tmp_path):
    """The list of the class, an earlier collecting or a platform says that it is a person."""
    folder = write(tmp_path / "in", {"red/tiny.ipynb": notebook})
    with pytest.raises(
        CourseError, match="'red' is a student, and the group 'red' has the same name"
    ):
        collect(course, folder, people=(Person("Red"), Person("ann"), Person("bob")))
    files = {"red_123_assignsubmission_file_/tiny.ipynb": notebook}
    with pytest.raises(CourseError, match="'red' is a student"):
        collect(course, write(tmp_path / "moodle", files))
    assert not (course.root / "submitted").exists()
    collect(course, folder, {})
    with pytest.raises(CourseError, match="'red' is a student"):
        collect(course, folder)
    assert collect(course, folder, {"red": "red", "ann": "red"}).submissions


def test_what_was_collected_of_members_must_be_one(course, notebook, released, tmp_path):
    folder = course.root / "submitted"
    write(folder, {f"{name}/tiny/tiny.ipynb": notebook for name in ("ann", "bob")})
    assert len(collect(course, folder).submissions) == 2
    other = as_bytes(answered(released, {**SOLUTIONS, "double": "double = abs"}))
    write(folder, {"bob/tiny/tiny.ipynb": other})
    with pytest.raises(CourseError, match="handed in more than once"):
        collect(course, folder)


def test_who_is_named_comes_with_the_group(course, notebook, released, tmp_path):
    first = write(tmp_path / "first", {"ann/tiny.ipynb": notebook, "eve/tiny.ipynb": notebook})
    collect(course, first)
    other = as_bytes(answered(released, {**SOLUTIONS, "double": "double = abs"}))
    second = write(tmp_path / "second", {"bob/tiny.ipynb": other, "eve/tiny.ipynb": other})
    found = collect(course, second, students=("bob",)).submissions
    assert [handed.student for handed in found] == ["ann", "bob"]
    kept = {name: course.submitted(name, "tiny").read_bytes() for name in ("ann", "bob", "eve")}
    assert kept == {"ann": other, "bob": other, "eve": notebook}
    assert len(collect(course, course.root / "submitted").submissions) == 3


def test_what_is_said_of_a_group_is_said_of_the_group_of_now(course, notebook, tmp_path):
    folder = write(tmp_path / "in", {f"{n}/tiny.ipynb": notebook for n in ("ann", "dan")})
    collect(course, folder)

    def said(teams):
        found = collect(course, course.root / "submitted", teams).submissions
        return {handed.student: [note.message for note in handed.notes] for handed in found}

    alone = "Handed in for the group blue, which has 1 member."
    both = "Handed in for the group red, which has 2 members."
    assert said({"ann": "red", "bob": "red"}) == {
        "ann": [both],
        "bob": [both],
        "cyd": [],
        "dan": [],
    }
    assert said({"cyd": "blue"}) == {"ann": [], "bob": [], "cyd": [alone], "dan": []}


def test_a_platforms_number_stays_with_nobody_of_a_group(course, notebook, tmp_path):
    files = {"annann_4711_90001_tiny.ipynb": notebook, "eveeve_4715_90005_tiny.ipynb": notebook}
    folder = write(tmp_path / "in", files)
    teams = {"4711": "red", "4712": "red"}
    first = [h.student for h in collect(course, folder, teams).submissions]
    assert first == ["4711", "4712", "4715"]
    numbers = {
        student: kept.number for student, kept in collection_record.find(course, "tiny").items()
    }
    assert numbers == {"4711": "", "4712": "", "4715": "4715"}
    assert [h.student for h in collect(course, folder, {}).submissions] == ["4711", "4715"]


def test_members_are_not_told_as_near_duplicates_and_others_are(
    course, tiny, released, tmp_path, one_room
):
    rare = as_bytes(answered(released, {**SOLUTIONS, "mean": RARE}))
    plain = as_bytes(answered(released))
    files = {"red/tiny.ipynb": rare, "blue/tiny.ipynb": rare}
    files |= {f"s{i}/tiny.ipynb": plain for i in range(8)}
    found = collect(course, write(tmp_path / "in", files)).submissions
    results = grade_class(course, tiny, found, GRADERS)
    told = _told(alike_in_class(course, tiny, results))
    assert ("ann", "bob") in told
    groups.save(course, "tiny", TEAMS)
    assert _told(alike_in_class(course, tiny, results)) == {("ann", "cyd")}


def _told(alike):
    return {(pair.first, pair.second) for pairs in alike.values() for pair in pairs}


def test_the_command_keeps_the_groups_and_exports_have_each_member(course, notebook, tmp_path):
    folder = str(write(tmp_path / "in", {"red/tiny.ipynb": notebook}))
    teams = str(table(tmp_path / "groups.csv", "ann,red", "bob,red", "eve,"))
    words = ["grade", str(course.root), "tiny"]
    dry = CliRunner().invoke(main, [*words, folder, "--groups", teams, "--dry-run", "--json"])
    assert [s["student"] for s in json.loads(dry.stdout)["students"]] == ["ann", "bob"]
    assert groups.find(course, "tiny") == {}
    done = CliRunner().invoke(main, [*words, folder, "--groups", teams])
    assert done.exit_code == 0, done.output
    assert groups.find(course, "tiny") == {"ann": "red", "bob": "red"}
    again = CliRunner().invoke(main, [*words, folder])
    assert "0 graded" in again.output
    assert [result.student for result in find_all(course, "tiny")] == ["ann", "bob"]
    exported = CliRunner().invoke(main, ["export", str(course.root), "tiny", "--format", "moodle"])
    assert exported.exit_code == 0
    text = (course.root / "export/tiny-moodle.csv").read_text()
    assert [line.split(",")[0] for line in text.splitlines()[1:]] == ["ann", "bob"]


def test_who_is_not_on_the_list_of_the_class_is_named(course, notebook, tmp_path):
    folder = str(write(tmp_path / "in", {"red/tiny.ipynb": notebook}))
    teams = str(table(tmp_path / "groups.csv", "ann,red", "bbo,red"))
    people = tmp_path / "class.csv"
    people.write_text("id,first_name,last_name,email\nann,Ann,Archer,a@b.c\nbob,Bob,Baker,b@b.c\n")
    words = ["grade", str(course.root), "tiny", folder, "--groups", teams, "--roster", str(people)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "in a group but not on the list of the class: 'bbo'" in done.stderr
    assert load(course, "tiny").name == "tiny"
    assert not (course.root / "submitted").exists()


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["ann,red", "ann,blue"], "line 3: 'ann' is in the group 'red' already"),
        (["ann,red", "ann,"], "line 3: 'ann' is in the group 'red' already and can't be in no gro"),
        (["ann,", "bob,"], "has no student in a group"),
        ([], "has no student in a group"),
        ([",red"], "line 2: '' can't be a student's name"),
        (["../ann,red"], "line 2: '../ann' can't be a student's name: it begins with a dot"),
        (["CORP\\jdoe,red"], "line 2: .* can't be a student's name: it has a backslash in it"),
        (["ann,x\x07"], "line 2: 'x.x07' can't be a group's name"),
        (["ann," + "x" * 101], "can't be a group's name"),
        (["ann,bob", "bob,red"], "the group 'bob' has the name of a student of another group"),
    ],
)
def test_a_list_that_says_two_things_is_refused(tmp_path, lines, says):
    with pytest.raises(CourseError, match=says):
        groups.read(table(tmp_path / "groups.csv", *lines))


@pytest.mark.parametrize("header", ["student,team", "", "student_id;team"])
def test_a_table_without_the_columns_is_refused(tmp_path, header):
    with pytest.raises(CourseError, match=r"has no column '(student_id|group)'"):
        groups.read(table(tmp_path / "groups.csv", "ann,red", header=header))


def test_other_columns_marks_and_formulas_are_only_text(tmp_path, course, tiny, notebook, one_room):
    path = tmp_path / "groups.csv"
    path.write_text('Group;name;Student_ID\n"=cmd|x";=1+1;ann\n"=cmd|x";;bob\n', "utf-8-sig")
    teams = groups.read(path)
    assert teams == {"ann": "=cmd|x", "bob": "=cmd|x"}
    found = collect(course, write(tmp_path / "in", {"bob.ipynb": notebook}), teams).submissions
    grade_class(course, tiny, found, GRADERS)
    done = CliRunner().invoke(main, ["report", str(course.root), "tiny"])
    assert done.exit_code == 0, done.output
    assert ",=" not in (course.root / "report/tiny.csv").read_text("utf-8-sig")
