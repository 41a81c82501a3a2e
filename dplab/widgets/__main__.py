"""Write the picture that an explorer opens with to a PNG file, for the README and for slides.

python -m dplab.widgets ClassSurvey course/images/class-survey.png
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

from PIL import Image

from dplab import widgets
from dplab.widgets.explorer import Explorer

EXPLORERS = {
    name: thing
    for name, thing in vars(widgets).items()
    if isinstance(thing, type) and issubclass(thing, Explorer)
}


def main(arguments: list[str] | None = None) -> None:
    """Parse the command line, draw and write."""
    parser = argparse.ArgumentParser(prog="python -m dplab.widgets", description=__doc__)
    parser.add_argument("explorer", choices=sorted(EXPLORERS))
    parser.add_argument("path", type=Path)
    chosen = parser.parse_args(arguments)
    write_picture(EXPLORERS[chosen.explorer](), chosen.path)
    print(f"{chosen.path}: {chosen.path.stat().st_size / 1000:.0f} kB")


def write_picture(explorer: Explorer, path: Path) -> None:
    """Write the explorer's present picture as a PNG of at most 64 colours, small enough for git."""
    picture = Image.open(io.BytesIO(explorer.picture.value))
    picture.quantize(64, dither=Image.Dither.NONE).save(path, "png", optimize=True)


if __name__ == "__main__":
    main()
