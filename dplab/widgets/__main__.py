"""Write the picture that an explorer opens with to a PNG file, for the README and for slides.

python -m dplab.widgets ClassSurvey course/images/class-survey.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

from dplab import widgets
from dplab.widgets.explorer import Explorer
from dplab.widgets.png import light


def main(arguments: list[str] | None = None) -> None:
    """Parse the command line, draw and write."""
    parser = argparse.ArgumentParser(prog="python -m dplab.widgets", description=__doc__)
    parser.add_argument("explorer", choices=widgets.EXPLORERS)
    parser.add_argument("path", type=Path)
    options = parser.parse_args(arguments)
    write_picture(getattr(widgets, options.explorer)(), options.path)
    print(f"{options.path}: {options.path.stat().st_size / 1000:.0f} kB")


def write_picture(explorer: Explorer, path: Path) -> None:
    """Write the explorer's current picture as a PNG of at most 64 colours, small enough for git."""
    path.write_bytes(light(explorer.picture.value))


if __name__ == "__main__":
    main()
