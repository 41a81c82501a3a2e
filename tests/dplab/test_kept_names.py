"""Names and signatures that students, problem sets and teachers use stay as they are listed."""

import re
import sys
from types import ModuleType

import pytest

import dplab.accounting
from course.site import kept_names
from course.site.kept_names import COMMAND, describe, find_changed, find_gone, find_new, read_list
from dplab.deprecated import OldName, old_names

KEEP_OLD = (
    "Let the old name work for one more version: see dplab/deprecated.py. "
    f"Write a line in CHANGELOG.md, then run `{COMMAND}`."
)
KEEP_CALLS = (
    "Old calls must still work: give new arguments a default and put them last, and take old names "
    f"by dplab.deprecated.old_arguments. Write a line in CHANGELOG.md, then run `{COMMAND}`."
)
LIST_IT = (
    f"Run `{COMMAND}` if these names shall be kept. Otherwise let them begin with an underscore, "
    "or leave them out of __all__."
)


def test_no_kept_name_is_gone():
    gone = find_gone(read_list())
    assert not gone, f"The library no longer has the kept names {', '.join(gone)}. {KEEP_OLD}"


def test_no_kept_name_is_called_in_another_way():
    changed = "\n".join(find_changed(read_list()))
    assert not changed, f"These names take other arguments:\n{changed}\n{KEEP_CALLS}"


def test_every_public_name_is_listed():
    new = "\n".join(find_new(read_list()))
    assert not new, f"These public names are not listed:\n{new}\n{LIST_IT}"


def test_the_list_has_what_students_and_teachers_use():
    lines = set(read_list().values())
    assert {
        "autograder.checks.call(function, *arguments)",
        "dplab.LaplaceMechanism(query, sensitivity, epsilon, neighbors=ReplaceOne())",
        "dplab.ExactMechanism.post_process(function)",
        "dplab.accounting.epsilon_bounds(releases, *, delta)",
        "dplab.budget.Budget.remaining",
        "dplab.release_service.ReleaseService.count(column_range, *, epsilon)",
        "dplab.attacks.least_squares.Reconstruction.accuracy(secret)",
    } <= lines
    inner = [line for line in lines if "._" in line or line.startswith("dplab.widgets.style._")]
    assert not inner


def test_the_page_shows_every_line_below_its_module(tmp_path):
    kept_names.write_kept_names(tmp_path)
    text = (tmp_path / "kept_names.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (.+)", text, re.M)
    assert len(heads) == len(set(heads))
    assert {"dplab", "dplab.budget", "dplab.theorems", "autograder.checks"} <= set(heads)
    for part, block in re.findall(r"^## ([^\n]+)\n\n```text\n(.+?)\n```", text, re.M | re.S):
        assert all(line.startswith(f"{part}.") for line in block.splitlines())
    assert sum(text.count(f"\n{line}\n") for line in read_list().values()) == len(read_list())


class Thing:
    """A class with all kinds of members."""

    old = OldName("size")

    def __init__(self, first, *rest, second=sum, third=tuple(range(20))):
        pass

    def grow(self, by=1.5):
        """Grow."""

    @classmethod
    def of(cls, text):
        """Make one."""

    @staticmethod
    def join(a, b):
        """Join two."""

    @property
    def size(self):
        """The size."""


@pytest.fixture
def library(monkeypatch):
    """A module with the class, where a part of the library is expected."""
    module = ModuleType("dplab.things")
    module.Thing, module.NUMBER = Thing, 3
    module.__getattr__ = old_names("dplab.things", Former="Thing")
    monkeypatch.setitem(sys.modules, "dplab.things", module)
    monkeypatch.setattr(dplab, "things", module, raising=False)
    describe.cache_clear()
    yield module
    describe.cache_clear()


LINES = [
    "dplab.things.NUMBER",
    "dplab.things.Thing(first, *rest, second=sum, third=<20 values>)",
    "dplab.things.Thing.grow(by=1.5)",
    "dplab.things.Thing.join(a, b)",
    "dplab.things.Thing.of(text)",
    "dplab.things.Thing.size",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_says_how_a_name_is_called(library, line):
    assert describe(line.partition("(")[0]) == line


def test_a_name_that_is_gone_or_only_an_old_name_is_found(library):
    listed = [line.partition("(")[0] for line in LINES]
    gone = ["dplab.things.Former", "dplab.things.Thing.old", "dplab.things.Thing.x", "dplab.gone.x"]
    assert find_gone([*listed, *gone]) == gone


def test_a_changed_call_is_found(library):
    listed = {"dplab.things.Thing.of": "dplab.things.Thing.of(name)"}
    assert find_changed(listed) == [
        "dplab.things.Thing.of(name)\n  is now dplab.things.Thing.of(text)"
    ]
    assert find_changed({"dplab.things.Thing.of": LINES[4]}) == []


def test_the_command_loses_a_name_only_by_its_old_name_or_on_demand(library, monkeypatch, tmp_path):
    monkeypatch.setattr(kept_names, "LIST", tmp_path / "list.txt")
    monkeypatch.setattr(kept_names, "kept_names", lambda: {"dplab.things.NUMBER": LINES[0]})
    (tmp_path / "list.txt").write_text("dplab.things.Former(a)\ndplab.things.Lost\n" + LINES[1])
    with pytest.raises(ValueError, match=r"no longer has dplab\.things\.Lost\. Keep"):
        kept_names.write_list()
    assert kept_names.write_list(drop=["dplab.things.Lost"]) == (
        "list.txt has 2 names: 1 new, 0 changed, 2 gone"
    )
    assert (tmp_path / "list.txt").read_text() == f"{LINES[0]}\n{LINES[1]}\n"


def test_a_new_export_must_be_listed(monkeypatch):
    monkeypatch.setattr(dplab.accounting, "__all__", [*dplab.accounting.__all__, "worst_cases"])
    monkeypatch.setattr(dplab.accounting, "worst_cases", lambda releases: None, raising=False)
    assert "dplab.accounting.worst_cases(releases)" in find_new(read_list())
