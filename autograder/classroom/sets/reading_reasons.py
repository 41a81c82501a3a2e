"""The reasons why a test is not understood, and the form in which each could be served."""

from __future__ import annotations

import ast
from dataclasses import dataclass

Node = ast.stmt | ast.expr


@dataclass(frozen=True)
class Reason:
    """A reason why a cell is not understood: its line, and a form in which it could be served."""

    line: int
    subject: str  # the test's expression, shortened
    why: str
    form: str = ""

    def __str__(self) -> str:
        ending = f". {self.form}" if self.form else ""
        return f"line {self.line}, {self.subject}: {self.why}{ending}"


MODULE = "it can look at, or change, the process in which the student's code runs"
COMPUTE = "Let the student's function take or return what the test wants to know"
STATE = "it is about the tests' process, and the student's code runs in another one"
NATURE = "it looks at what kind of object the student's value is, not at its content"
CONTENT = "Compare the content, for example `list(value) == [1, 2]`"
OBJECT = "only the student's own class says what this means for its object"
METHOD = "Compare what methods or attributes of the object return"
PRIVATE = "names with an underscore are not read from another process"
CLOSED = "generators and coroutines are only asked for their next item"
SET = "an attribute or an item of the student's object can't be set from another process"
SET_FORM = "Let a method of the object make the change"
ALIAS = (
    "the test changes a value of the student's, and student code might have, or see, the same value"
)
COPY = "Change a copy, for example `sorted(value)`, `list(value)` or `value + [3]`"
REUSED = "the test changes a value that student code might still have"
FRESH = "Pass a new value in each call, for example `list(values)`"
SHARED = "the student's object might keep this value, and share it with another object"
GENERATOR = "each call gets a copy of the generator in the same state"
GENERATOR_FORM = "Give each call a generator of its own, for example `default_rng(seed)`"
SEED = "this seed is for the tests' process, and the student's code draws in another one"
SEED_FORM = "Let the function take a generator, or a seed, as an argument"
DRAWN = "the student's code might have drawn from the same generator"
EXCEPTION = "a class of errors that is not built in doesn't pass between two processes"
EXCEPTION_FORM = "Catch the built-in class that it is derived from"
ASYNC = "the tests wait for the student's coroutine in another event loop"
MAGIC = "a magic or a command acts on the process in which it runs"
FILE = "the student's code might have written this file in its own folder"
FILE_FORM = "'checks.file_left' brings a file of the student's here"
BUILTIN = "in a test this is Python's own function, and not the student's of this name"
BUILTIN_FORM = "Give the student's function a name of its own"
LOADER_FORM = "Load the tests of a class by `loadTestsFromTestCase`"
REPLACED = "the student's functions go on with their own value of this name"
REPLACED_FORM = "Use another name, or let the functions take the value as an argument"
CHANGED = "the student's code changes this value of a locked cell, and tests have their own"
CHANGED_FORM = "Let the solution give the changed value a name of its own, or return it"
UNKNOWN = "only the solution imports this name, and tests use their own modules"


def make(node: Node, why: str, form: str = "") -> Reason:
    """Return a reason that names a node's line and its shortened text."""
    text = " ".join(ast.unparse(node).split())
    return Reason(node.lineno, text if len(text) <= 60 else f"{text[:57]}...", why, form)


def import_line(name: str, full_name: str) -> str:
    """Return the line that imports a module, or something of it, under a name."""
    owner, _, last = full_name.rpartition(".")
    if full_name == name:
        return f"import {name}"
    return f"from {owner} import {last}" if last == name else f"import {full_name} as {name}"
