"""Answers to problem set 6.

Little is left to chance: tests ask at both ends of every range and once in each part of it, so that
all mutants but some of `reconstruct` are found under every secret.
"""

import re


def but_where(right: str, condition: str, instead: str) -> str:
    """A right answer, the last function of `right`, that does `instead` where `condition` holds."""
    *_, last = re.finditer(r"^def (\w+)\((.*)\):$", right, re.MULTILINE)
    name, arguments = last.groups()
    whole = right[: last.start()] + right[last.start() :].replace(f"{name}(", f"solved_{name}(")
    return f"""{whole}

def {name}({arguments}):
    if {condition}:
        {instead}
    return solved_{name}({arguments})
"""
