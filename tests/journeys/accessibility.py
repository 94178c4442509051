"""Finds accessibility violations of a screen, and content wider than its window."""

from pathlib import Path

from playwright.sync_api import Page

MODULES = Path(__file__).parent / "browser" / "node_modules"
AXE = (MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
# An init script for pages that are checked often: the browser parses axe-core only when called.
AXE_LOADER = f"loadAxe = () => {{ {AXE} }}"
FIND_VIOLATIONS = """async () => {
  if (!("axe" in window)) {
    if (!("loadAxe" in window)) return null
    loadAxe()
  }
  const {violations} = await axe.run(document.querySelector("[data-modal]") ?? document,
    {preload: false, resultTypes: ["violations"], rules: {"target-size": {enabled: true}}})
  return violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) =>
    `${id}: ${html.slice(0, 300)} ${failureSummary}`))
}"""


def violations(page: Page) -> list[str]:
    """Return axe-core's violations as text; only those of the dialog where one is open."""
    result = page.evaluate(FIND_VIOLATIONS)
    if result is None:
        page.evaluate(AXE)
        result = page.evaluate(FIND_VIOLATIONS)
    return result


def horizontal_overflow(page: Page) -> list[str]:
    """Return a message with the pixels by which the page is wider than its window, or none."""
    pixels = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    return [f"{pixels} pixels too wide"] if pixels > 0 else []
