"""What is wrong with a screen for people who read, hear or zoom it."""

from pathlib import Path

from playwright.sync_api import Page

MODULES = Path(__file__).parent / "browser" / "node_modules"
AXE = (MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """What axe-core finds, in words; in a dialog alone when there is one."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(
        """axe.run(document.querySelector("[data-modal]") ?? document,
           {preload: false, resultTypes: ["violations"]})"""
    )["violations"]
    return [
        f"{rule['id']}: {node['html'][:300]} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


def cut_off(page: Page) -> list[str]:
    """By how many pixels the page is wider than its window, where it is."""
    pixels = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    return [f"{pixels} pixels too wide"] if pixels > 0 else []
