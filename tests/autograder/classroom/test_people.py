"""Lists of a class from many systems, and who of them is who."""

import pytest
from nbgrader.api import Gradebook

from autograder.classroom import people
from autograder.classroom.folders import CourseError
from autograder.classroom.people import Person
from autograder.classroom.platforms import Owner

ADA = {"first_name": "Ada", "last_name": "Lovelace"}
LISTS = {
    "nbgrader": (
        "id,first_name,last_name,email,lms_user_id\nada,Ada,Lovelace,a@x.org,4711\n",
        Person("ada", **ADA, email="a@x.org", number="4711"),
    ),
    "Canvas": (
        "Student,ID,SIS User ID,SIS Login ID,Section,tiny (77)\n"
        "    Points Possible,,,,,10\n"
        '"Lovelace, Ada",4711,s1,ada@x.org,A,\n"Student, Test",9,,,A,\n',
        Person("ada@x.org", **ADA, email="ada@x.org", number="4711"),
    ),
    "Moodle's participants": (
        "First name,Last name,ID number,Email address\nAda,Lovelace,0815,a@x.org\n",
        Person("0815", **ADA, email="a@x.org"),
    ),
    "Moodle's grading worksheet": (
        "Identifier,Full name,Email address,Last modified (submission)\n"
        'Participant 657737,Ada Lovelace,a@x.org,"Sunday, 1 November 2026, 10:00 AM"\n',
        Person("a@x.org", **ADA, email="a@x.org", number="657737",
               time="Sunday, 1 November 2026, 10:00 AM"),
    ),
    "Gradescope": (
        "Name,SID,Email,Role\nAda Lovelace,4711,a@x.org,Student\n",
        Person("4711", **ADA, email="a@x.org", number="4711"),
    ),
    "Brightspace": (
        "OrgDefinedId,Username,Last Name,First Name,Email,End-of-Line Indicator\n"
        "#4711,#ada,Lovelace,Ada,a@x.org,#\n",
        Person("ada", **ADA, email="a@x.org"),
    ),
    "a spreadsheet of Europe": (
        "\ufeffusername;surname;first name\nada;Lovelace;Ada\n\n",
        Person("ada", **ADA),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "person"), LISTS.values(), ids=LISTS)
def test_the_systems_lists_are_read(tmp_path, text, person):
    path = tmp_path / "class.csv"
    path.write_text(text, encoding="utf-8")
    assert people.read(path) == (person,)


BAD = {
    "nothing": ("", "no people"),
    "a header": ("id,email\n", "no people"),
    "no column that names everybody": ("Name,SID\nAda,1\nBob,\n", "no column that names everybody"),
    "one name twice": ("id,email\nada,a\nada,b\n", "'ada' 2 times"),
    "a way out": ("id,email\n../../ada,a\n", "can't be a student's name"),
    "a pattern": ("id,email\na*,a\n", "can't be a student's name"),
    "another encoding": ("id\n\udcff\n", "not a CSV file in UTF-8"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_what_is_no_list_is_an_error_that_says_so(tmp_path, text, message):
    path = tmp_path / "class.csv"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(CourseError, match=message):
        people.read(path)
    with pytest.raises(CourseError, match="no list of the class"):
        people.read(tmp_path / "none.csv")


CLASS = (
    Person("ada", "Ada", "Lovelace", "ada@x.org", "4711"),
    Person("zoe", "Zoë Maria", "Ångström", "zoe@x.org", "4712"),
    Person("lee1", "Lee", "Ann", "lee@x.org"),
)


@pytest.mark.parametrize(
    ("owner", "student"),
    [
        (Owner("x", "nobody", number="4711"), "ada"),
        (Owner("x", "nobody", email="ZOE@x.org"), "zoe"),
        (Owner("ZOE"), "zoe"),
        (Owner("4712", "angstromzoemaria", "4712"), "zoe"),
        (Owner("9", "ångströmzoëmaria", "9"), "zoe"),
        (Owner("Zoe Maria Angstrom", "Zoe Maria Angstrom"), "zoe"),
        (Owner("Ångström, Zoë Maria", "Ångström, Zoë Maria"), "zoe"),
        (Owner("annlee", "annlee"), "lee1"),
        (Owner("Ada", "Ada"), "ada"),  # the name in the course
        (Owner("Zoe", "Grace Hopper"), "zoe"),
        (Owner("Grace Hopper", "Grace Hopper"), None),
        (Owner("Lovelace", "Lovelace"), None),
    ],
)
def test_who_is_who(owner, student):
    found = people.matched([owner], CLASS)
    assert found[owner].student == student if student else found == {}


def test_the_list_is_kept_and_the_gradebook_knows_the_people(course):
    people.keep(course, CLASS)
    assert people.kept(course) == CLASS
    with Gradebook(course.database) as book:
        zoe = book.find_student("zoe")
        assert (zoe.first_name, zoe.last_name, zoe.lms_user_id) == ("Zoë Maria", "Ångström", "4712")
    course.people.write_text("{")
    with pytest.raises(CourseError, match="give --roster again"):
        people.kept(course)
