"""What is wrong with a screen for people who read, hear or zoom it."""

from pathlib import Path

from playwright.sync_api import Page

MODULES = Path(__file__).parent / "browser" / "node_modules"
AXE = (MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
# For pages that are looked at often: the browser keeps it, and reads it where it is called.
BRING_AXE = f"bringAxe = () => {{ {AXE} }}"
VIOLATIONS = """async () => {
  if (!("axe" in window)) {
    if (!("bringAxe" in window)) return null
    bringAxe()
  }
  const {violations} = await axe.run(document.querySelector("[data-modal]") ?? document,
    {preload: false, resultTypes: ["violations"]})
  return violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) =>
    `${id}: ${html.slice(0, 300)} ${failureSummary}`))
}"""


def violations(page: Page) -> list[str]:
    """What axe-core finds, in words; in a dialog alone when there is one."""
    found = page.evaluate(VIOLATIONS)
    if found is None:
        page.evaluate(AXE)
        found = page.evaluate(VIOLATIONS)
    return found


def cut_off(page: Page) -> list[str]:
    """By how many pixels the page is wider than its window, where it is."""
    pixels = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    return [f"{pixels} pixels too wide"] if pixels > 0 else []
