"""Answers to problem set 6."""

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
