"""Draw the picture that a shared link to the site shows: its name, and coins that fall on a class.

python -m tests.browser.share_picture

It needs Chromium and Node; the picture goes to course/site/static.
"""

from __future__ import annotations

import io
import re

from PIL import Image

from course.site.explorables import DRAWN, SCRIPTS
from tests.browser.lab import blank_page

PICTURE = SCRIPTS.parent / "share.png"
WIDTH, HEIGHT = 1_200, 630  # the size that readers of Open Graph recommend
COLOURS = 64
STYLE = """
body { margin: 0; font: 24px "DejaVu Sans", sans-serif; background: white; color: #222; }
h1 { font-size: 46px; line-height: 1.25; margin: 60px 60px 0; width: 430px; }
p { margin: 24px 60px; width: 420px; line-height: 1.5; }
body > div { position: absolute; right: 20px; bottom: 24px; width: 680px; }
figure.explorable svg { width: 680px; height: auto; }
"""
WORDS = """
<h1>Differential privacy, run, broken and graded</h1>
<p>Twenty-one questions, pictures that move, and problem sets that tell you what is wrong.</p>
"""


def draw() -> Image.Image:
    """Return the picture."""
    svg = (DRAWN / "coins.svg").read_text(encoding="utf-8")
    svg = re.sub(r' width="\d+" height="\d+"', "", svg, count=1)
    style = (SCRIPTS.parent / "explorables.css").read_text(encoding="utf-8") + STYLE
    figure = f'<div><figure class="explorable" style="margin: 0">{svg}</figure></div>'
    with blank_page() as page:
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.set_content(f"<style>{style}</style>{WORDS}{figure}")
        return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def main() -> None:
    draw().quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
