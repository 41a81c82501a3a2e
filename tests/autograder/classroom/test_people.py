"""Lists of a class from many systems, and who of them is who."""

from dataclasses import replace

import pytest
from nbgrader.api import Gradebook

from autograder.classroom.course.folders import CourseError
from autograder.classroom.intake import people
from autograder.classroom.intake.people import Person
from autograder.classroom.intake.platforms import Owner

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
    "Moodle's participants in German": (
        "Vorname,Nachname,ID-Nummer,E-Mail-Adresse\nAda,Lovelace,0815,a@x.org\n",
        Person("0815", **ADA, email="a@x.org"),
    ),
    "Moodle's grading worksheet in German": (
        "ID,Vollständiger Name,E-Mail-Adresse,Zuletzt geändert (Abgabe)\n"
        'Teilnehmer/in657737,Ada Lovelace,a@x.org,"Sonntag, 1. November 2026, 10:00"\n',
        Person("a@x.org", **ADA, email="a@x.org", number="657737",
               time="Sonntag, 1. November 2026, 10:00"),
    ),
    "Moodle's grading worksheet in French": (
        "Identifiant,Nom complet,Adresse de courriel\nParticipant 657737,Ada Lovelace,a@x.org\n",
        Person("a@x.org", **ADA, email="a@x.org", number="657737"),
    ),
    "Moodle's grading worksheet in Spanish": (
        "Identificador,Nombre completo,Dirección de correo\n"
        "Participante 657737,Ada Lovelace,a@x.org\n",
        Person("a@x.org", **ADA, email="a@x.org", number="657737"),
    ),
    "Excel's, with a title": (
        'sep=;\r\n"Privacy; 2026"\r\n\r\nid;first name;last name\r\nada;Ada;Lovelace\r\n',
        Person("ada", **ADA, number="ada"),
    ),
    "of a delimiter of its own": (
        "sep=|\nid|first name|last name\nada|Ada|Lovelace\n",
        Person("ada", **ADA, number="ada"),
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
    path.write_text(text.removeprefix("\ufeff"), encoding="utf-16")
    assert people.read(path) == (person,)


BAD = {
    "nothing": ("", "no people"),
    "a header": ("id,email\n", "no people"),
    "no column that names everybody": ("Name,SID\nAda,1\nBob,\n", "no column that names everybody"),
    "one name twice": ("id,email\nada,a\nada,b\n", "'ada' 2 times"),
    "a way out": ("id,email\n../../ada,a\n", "can't be a student's name"),
    "a pattern": ("id,email\na*,a\n", "can't be a student's name"),
    "a user of a domain": ("id,email\nCORP\\jdoe,a\n", "it has a backslash in it"),
    "another encoding": ("id\n\udcff\n", "UTF-8, by its line 2; .* save it as 'CSV UTF-8'"),
    "a workbook": ("PK\x03\x04", "is a workbook, not a CSV file"),
    "other columns": ("Wer,Was\nada,1\n", "identifies students: .* It has 'Wer', 'Was'"),
    "a shortened number": (
        "Name;SID\nAda;471100000001\nBob;4,711E+11\n",
        r"line 3: in the column 'sid' .* shortened a number to 4,711E\+11; take the file as it was",
    ),
    "one without a name": (
        "id,first_name,email\na,Ada,a@x\nb,Bob,b@x\n,Eve,e@x\n",
        r"by the column 'id', which is empty in line 4 \('Eve e@x'\): give it a value",
    ),
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
    found = people.match([owner], CLASS)
    assert found[owner].student == student if student else found == {}


def test_the_list_is_kept_and_the_gradebook_knows_the_people(course):
    people.save_list(course, CLASS)
    assert people.load_list(course) == CLASS
    with Gradebook(course.database) as book:
        zoe = book.find_student("zoe")
        assert (zoe.first_name, zoe.last_name, zoe.lms_user_id) == ("Zoë Maria", "Ångström", "4712")
    course.people.write_text("{")
    with pytest.raises(CourseError, match="give --roster again"):
        people.load_list(course)


def test_another_list_gives_nobody_another_name(course):
    people.save_list(course, CLASS)
    worksheet = (
        Person("ada@x.org", "Ada", "Lovelace", "ADA@x.org", "99"),
        Person("4712", "Zoë Maria", "Ångström", number="4712"),
        Person("4710", "Other", "One", number="4711"),  # Ada's number, in another system
        Person("new@x.org", email="new@x.org"),
    )
    found = [person.student for person in people.restore_ids(course, worksheet)]
    assert found == ["ada", "zoe", "4710", "new@x.org"]
    people.save_list(course, worksheet)
    assert [person.student for person in people.load_list(course)] == found
    assert people.restore_ids(course, worksheet) == people.load_list(course)
    twins = (replace(worksheet[0], student="x"), replace(worksheet[0], student="y"))
    assert people.restore_ids(course, twins) == twins
    ada = replace(people.load_list(course)[0], email="new@x.org")  # somebody else's before
    assert people.restore_ids(course, (ada,)) == (ada,)
