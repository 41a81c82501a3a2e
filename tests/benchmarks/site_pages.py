"""The site's pages: what each weighs, and how soon it moves, beside the limits.

    python tests/benchmarks/site_pages.py [SITE]

Opens the first page and all lessons of SITE, which is built first where none is given, in a browser
that has never been there. A page's weight is what it has loaded when its first explorer has played
through; read to the end, it also loads the pictures further down. The time is from the link until
something has moved, from a server on this machine and by a line of 4 Mbit/s. Ends with status 1 if
a page misses a limit.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from course.site.build import build
from course.site.keeping import KEPT, in_turn
from tests.browser.lab import blank_page
from tests.course.test_lessons import LESSONS
from tests.course.test_site import MOST_BYTES, Quiet

PAGES = ["index", *(path.stem for path in LESSONS)]
AT_ONCE, BY_LINE = 0.6, 2.5  # seconds until something moves
LINE, DELAY = 4_000_000 / 8, 40  # bytes a second, milliseconds until an answer begins
PLAYED = 10_000  # milliseconds in which every explorer has played through
WATCH = """
(() => {
  const drawn = () => {
    const image = document.querySelector("figure.opening .change:not([hidden])");
    const stage = document.querySelector("figure.explorable[data-mounted] .stage svg");
    return image?.complete && image.naturalWidth ? image.src : stage?.innerHTML;
  };
  const still = () => drawn() ?? null;
  let first;
  const look = () => {
    const now = still();
    if (document.querySelector("figure.opening") ? now : now && first && now !== first)
      window.movedAt ??= performance.now();
    first ??= now;
    if (!window.movedAt) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


class Measured(NamedTuple):
    """Bytes of a page when it has played, and when it has been read; seconds until it moved."""

    opened: int
    read: int
    at_once: float
    by_line: float


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address at which a static server has the site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def seconds_until_it_moves(url: str, line: float = 0) -> float:
    """Open a page in a new browser, by a line of so many bytes a second if any is given."""
    with blank_page() as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        if line:
            network = page.context.new_cdp_session(page)
            network.send("Network.enable")
            given = {"offline": False, "latency": DELAY, "downloadThroughput": line}
            network.send("Network.emulateNetworkConditions", given | {"uploadThroughput": line})
        page.add_init_script(WATCH)
        page.goto(url, wait_until="commit")
        page.wait_for_function("window.movedAt")
        return page.evaluate("window.movedAt") / 1000


def weights(url: str) -> tuple[int, int]:
    """Return the bytes of a page with all that it loads: at first, and read to its end."""
    with blank_page() as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        got: list[int] = []
        page.on("response", lambda r: got.append(int(r.headers.get("content-length", 0))))
        page.goto(url, wait_until="networkidle")
        page.wait_for_timeout(PLAYED)
        opened = sum(got)
        page.evaluate("""async () => {
          for (let y = 0; y < document.body.scrollHeight; y += 500) {
            scrollTo(0, y);
            await new Promise((done) => setTimeout(done, 30));
          }
        }""")
        page.wait_for_load_state("networkidle")
        return opened, sum(got)


def measure(url: str) -> Measured:
    return Measured(*weights(url), seconds_until_it_moves(url), seconds_until_it_moves(url, LINE))


def report(name: str, found: Measured) -> bool:
    """Print a line for a page; whether it keeps all limits."""
    fine = found.opened < MOST_BYTES and found.at_once < AT_ONCE and found.by_line < BY_LINE
    print(
        f"{name:28} {found.opened / 1e6:5.2f} MB, read to its end {found.read / 1e6:5.2f} MB; "
        f"moves after {found.at_once:4.2f} s, by the line {found.by_line:4.2f} s"
        f"{'' if fine else '  !'}",
        flush=True,
    )
    return fine


def main(site: Path) -> None:
    with served(site) as address:
        kept = [report(name, measure(f"{address}/{name}.html")) for name in PAGES]
    print(f"limits: {MOST_BYTES / 1e6} MB; {AT_ONCE} s, by a line of 4 Mbit/s {BY_LINE} s")
    print(f"{sum(kept)} of {len(kept)} pages keep all of them")
    sys.exit(not all(kept))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        with in_turn():
            build(Path(folder) / "site", kept=KEPT)
        main(Path(folder) / "site")
