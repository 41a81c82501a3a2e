"""A variant for each student: each is released, graded and told by the student's own values."""

import json

import nbformat
import pytest
from click.testing import CliRunner

from autograder.classroom.course.folders import CourseError
from autograder.classroom.grading.results import find
from autograder.classroom.intake.people import Person, save_list
from autograder.classroom.releasing.reference_run import SetRefused
from autograder.classroom.releasing.release import prepare, release
from autograder.classroom.running.course_doctor import look_over
from autograder.classroom.sets import set_variants, shipped_sets
from autograder.classroom.sets.assignment import load
from autograder.classroom.sets.set_variants import vary
from autograder.cli import main
from tests.autograder.classroom.handing_in import write
from tests.autograder.classroom.test_variants import course_with
from tests.autograder.tiny_assignment import answered, as_bytes
from tests.autograder.trusted_runner import STRONG, TrustedRunner

RATIOS = ["711171117", "722392239", "733313331", "744474447", "755575557"]  # in no digest
TEXTS = [
    (
        "markdown",
        "title",
        "# Take {{ratio: " + "|".join(RATIOS) + "}}, not {{ratio}}0\n\n$x^{{n}}$",
        {},
    ),
    (
        "code",
        "times",
        "def {{name: scale|multiply|stretch}}(x):\n    # {{ratio}} times\n"
        "    ### BEGIN SOLUTION\n    return {{ratio}} * x\n    ### END SOLUTION",
        {"solution": True},
    ),
    (
        "code",
        "times_one",
        "assert {{name}}(1) == {{ratio}}, f'not {{ratio}} but {{{ {{name}}(1)}}}'\n"
        "### BEGIN HIDDEN TESTS\nassert {{name}}(-2) == -2 * {{ratio}}\n### END HIDDEN TESTS",
        {"grade": True, "locked": True, "points": 2},
    ),
]
CLASS = ("ann", "bob", "cyd")


def course_of(root, texts=TEXTS, names=("coin",), students=CLASS):
    course = course_with(root, texts, names=names)
    prepare(course)
    save_list(course, tuple(Person(student) for student in students))
    return course


def run(*words, code=0):
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done.output


def handed_in(course, of, ratio, notebook="coin"):
    """The notebook of a student with a right answer for this ratio."""
    released = json.loads(course.released_to(of, "coin", notebook).read_text())
    values = load(course, "coin").variants.values(of)
    answer = f"def {values['name']}(x):\n    return {ratio} * x"
    return as_bytes(answered(released, {"times": answer}))


def test_a_class_is_varied_released_graded_and_told_by_its_own_values(tmp_path):
    """The secret is fixed: ann, bob, cyd and eve, who is on no list, have different variants."""
    course = course_with(tmp_path / "course", TEXTS)
    roster = tmp_path / "class.csv"
    roster.write_text("student_id\n" + "\n".join(CLASS))
    run("vary", course.root, "coin", "--each")
    assert "no list of the class is known; give it" in run("release", course.root, "coin", code=1)
    assert not course.released("coin").exists()
    assert "of 15 variants" in run("release", course.root, "coin", "--roster", roster)
    coin = load(course, "coin")
    values = {student: coin.variants.values(student) for student in (*CLASS, "eve")}
    ratios = {student: drawn["ratio"] for student, drawn in values.items()}
    assert len(set(ratios.values())) == len(ratios)
    for student in CLASS:
        text = course.released_to(student, "coin").read_text()
        assert f"# Take {ratios[student]}" in text
        assert "$x^{{n}}$" in text
        assert not any(ratio in text for ratio in set(RATIOS) - {ratios[student]})
    eves = coin.variants.records(values["eve"])[0]["released"]
    eves = answered(eves, {"times": f"def {values['eve']['name']}(x):\n    return -1 * x"})
    files = {
        "ann/coin.ipynb": handed_in(course, "ann", ratios["ann"]),
        "bob/coin.ipynb": handed_in(course, "ann", ratios["ann"]),
        "cyd/coin.ipynb": handed_in(course, "cyd", ratios["ann"]),
        "eve/coin.ipynb": as_bytes(eves),
    }
    run("grade", course.root, "coin", write(tmp_path / "in", files), "--feedback", code=3)
    results = {student: find(course, student, "coin") for student in values}
    assert {s: r.points for s, r in results.items()} == {"ann": 2, "bob": 0, "cyd": 0, "eve": 0}
    assert [len(r.notes) for r in results.values()] == [0, 2, 1, 0]
    assert results["cyd"].cells[0].message == f"not {ratios['cyd']} but {{{ratios['ann']}}}"
    assert "0 graded" in run("grade", course.root, "coin", code=3)
    assert "Graded again: the same." in run("explain", course.root, "coin", "bob")
    pages = {s: course.feedback(s, "coin").read_text() for s in values}
    assert "another variant of the problem set than yours" in pages["bob"]
    for student in values:
        told = {ratio for ratio in RATIOS if ratio in pages[student]}
        typed = {ratios["ann"]} if student in ("bob", "cyd") else set()
        assert told == {ratios[student]} | typed
        assert "variant of" not in pages[student].replace("variant of the problem set", "")
    run("report", course.root, "coin")
    table = course.report("coin", ".csv").read_text()
    assert f"answers the variant of ann: ratio is '{ratios['ann']}' instead of" in table
    assert "Its answers have values of the variant of ann" in table
    assert "is well" not in run("status", course.root, "coin")
    run("export", course.root, "coin", "--format", "gradescope")
    exported = (course.root / "export/coin-gradescope/bob/results.json").read_text()
    assert "another variant of the problem set than yours" in exported
    assert "variant of ann" not in exported
    assert "knows students by their e-mail" in run("gradescope", course.root, "coin", code=1)
    run("remove", course.root, "ann", "--yes")
    assert [path.name for path in course.release_each.iterdir()] == ["bob", "cyd"]


@pytest.mark.parametrize("notebooks", [("coin",), ("a", "b")])
def test_a_variant_is_what_a_release_with_its_values_would_be(tmp_path, notebooks):
    course = course_of(tmp_path / "each", names=notebooks)
    vary(course, "coin", each=True)
    release(course, "coin")
    coin = load(course, "coin")
    variant, values = coin.for_student("bob"), coin.variants.values("bob")
    other = course_with(tmp_path / "other", TEXTS, names=notebooks)
    for path, template in set_variants.read_template(course, "coin").items():
        text = json.dumps(template)
        for placeholder, value in values.items():
            text = text.replace(f"{{{{{placeholder}}}}}", value)
        (other.root / "source/coin" / path).write_text(text)
    expected = release(other, "coin")
    assert variant.cells == expected.cells
    expected = load(other, "coin")
    for own, part in zip(variant.parts, expected.parts, strict=True):
        assert own.solution == part.solution
        assert own.defined_names == part.defined_names == {values["name"]}
        mine = json.loads(course.released_to("bob", "coin", part.notebook).read_text())
        theirs = json.loads(other.released("coin", part.notebook).read_text())
        assert nbformat.from_dict(mine) == nbformat.reads(json.dumps(theirs), as_version=4)
    assert variant.release == coin.digest != variant.digest


def test_one_of_ours_has_a_variant_for_each_student(tmp_path):
    course = course_of(tmp_path / "course")
    vary(course, "ps03", each=True)
    release(course, "ps03")
    variants = load(course, "ps03").variants
    names = {variants.values(student)["debias"] for student in "abcdefghijkl"}
    assert names == set(shipped_sets.other_names("ps03")["debias"])
    for student in CLASS:
        own = variants.values(student)["debias"]
        assert own in load(course, "ps03").for_student(student).parts[0].defined_names
        assert f"def {own}(" in course.released_to(student, "ps03").read_text()


def test_a_group_is_graded_with_the_variant_that_it_handed_in(tmp_path):
    course = course_of(tmp_path / "course", names=("a", "b"))
    vary(course, "coin", each=True)
    release(course, "coin")
    ratio = load(course, "coin").variants.values("cyd")["ratio"]
    teams = tmp_path / "teams.csv"
    teams.write_text("student_id,group\nbob,red\ncyd,red\n")
    files = {f"red/coin/{n}.ipynb": handed_in(course, "cyd", ratio, n) for n in "ab"}
    folder = write(tmp_path / "in", files)
    run("grade", course.root, "coin", folder, "--groups", teams, "--feedback")
    bob, cyd = (find(course, student, "coin") for student in ("bob", "cyd"))
    assert (bob.points, cyd.points) == (4, 4)
    assert (bob.variant, cyd.variant) == ("cyd", "")
    assert "handed in the variant of cyd" in bob.notes[1].message
    assert ratio in course.feedback("bob", "coin", "b").read_text()
    assert "Graded again: the same." in run("explain", course.root, "coin", "bob")


def test_a_variant_whose_solution_fails_is_not_released(tmp_path):
    """The secret is fixed: the course itself has another ratio."""
    kind, name, text, marks = TEXTS[2]
    test = kind, name, f"{text}\nassert {{{{ratio}}}} != 755575557", marks
    course = course_of(tmp_path / "course", [*TEXTS[:2], test])
    assert vary(course, "coin", each=True).values["ratio"] != "755575557"
    with pytest.raises(
        SetRefused, match=r"templates/coin/coin.ipynb with ratio = 755575557, name = "
    ):
        release(course, "coin", TrustedRunner())
    assert not course.released("coin").exists()


def test_each_stays_until_the_class_gets_one_variant_again(tmp_path):
    course = course_of(tmp_path / "course")
    base = vary(course, "coin", each=True).values
    release(course, "coin")
    template = course.template("coin") / "coin.ipynb"
    template.write_text(template.read_text().replace("# Take", "# Get"))
    assert vary(course, "coin").is_each
    release(course, "coin")
    assert "# Get" in course.released_to("ann", "coin").read_text()
    save_list(course, tuple(Person(student) for student in (*CLASS, "dan")))
    refused = run("grade", course.root, "coin", course.release_each, code=1)
    assert f"belongs to the course {course.root}, so it contains no submissions" in refused
    findings = {finding.about: finding for finding in look_over(course, STRONG, is_drawn=False)}
    assert findings["varied"].text == "coin: no notebook was written for 'dan'"
    assert vary(course, "coin", each=False).values == base
    with pytest.raises(CourseError, match="has changed since it was released"):
        load(course, "coin")
    release(course, "coin")
    assert load(course, "coin").for_student("ann") == load(course, "coin")
    assert not course.released_to("ann", "coin").exists()


def test_a_lost_or_another_secret_is_told(tmp_path):
    course = course_of(tmp_path / "course")
    vary(course, "coin", each=True)
    release(course, "coin")
    course.secret_file.write_bytes(b"b" * 32)
    with pytest.raises(CourseError, match="is not the secret from which"):
        load(course, "coin")
    course.secret_file.unlink()
    with pytest.raises(CourseError, match=r"the secret of .* is gone"):
        load(course, "coin")
    assert not course.has_secret


def test_a_test_that_one_variant_moves_is_moved_in_all(tmp_path):
    """The secret is fixed: the course itself looks at a value, which two processes can serve."""
    visible = TEXTS[2][2].partition("###")[0] + "assert {{view: abs|id}}({{name}}(0)) >= 0"
    course = course_of(tmp_path / "course", [*TEXTS[:2], (*TEXTS[2][:2], visible, TEXTS[2][3])])
    assert vary(course, "coin", each=True).values["view"] == "abs"
    coin = release(course, "coin", TrustedRunner())
    assert coin.forgeable_note
    for student in "abcdefgh":
        assert coin.for_student(student).forgeable_note == coin.forgeable_note


def test_a_class_gets_no_value_that_another_class_may_have(tmp_path):
    def course(name, old, new):
        texts = [(kind, cell, text.replace(old, new), marks) for kind, cell, text, marks in TEXTS]
        return course_of(tmp_path / name, texts)

    last = course("last", "|".join(RATIOS), "|".join(RATIOS[:2]))
    vary(last, "coin", each=True)
    this = course("this", "scale|multiply|stretch", "grow|widen|stretch")
    assert vary(this, "coin", [last], each=True).variants == 3 * 2
    choices = set_variants.find_choices(this, "coin")
    assert choices == {"ratio": RATIOS[2:], "name": ["grow", "widen"]}
    with pytest.raises(CourseError, match="the other courses have all values of 'name'"):
        vary(course("next", "", ""), "coin", [last], each=True)
