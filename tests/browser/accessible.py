"""What axe-core finds against a page: WCAG 2.2, levels A and AA."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"]}


def violations(page, include: str = "html", exclude: tuple[str, ...] = ()) -> list[str]:
    """Each breach of a rule, with the element that it is about."""
    context = {"include": [[include]], "exclude": [[what] for what in exclude]}
    found = Axe().run(page, context=context, options=OPTIONS).response["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]
