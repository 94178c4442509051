"""Checks the console's screens: accessibility, CSP violations and overflow, on phones as well.

`make e2e` also writes screenshots to `screenshots/`.
"""

import os
from pathlib import Path

import pytest
from accessibility import AXE_LOADER, horizontal_overflow, violations
from console_page import fleet_with_history
from page_pool import HEIGHT

SCREENSHOTS = Path(__file__).parent / "screenshots"
TAKES_SCREENSHOTS = "ALL_JOURNEYS" in os.environ
VIEWPORTS = ((1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"), (320, "light"))
LANGUAGES = {"pl": "pl-PL", "en": "en-GB"}
PATHS = {
    "dashboard": "",
    **{
        path: path
        for path in (
            "users", "companies", "check-runs", "deliveries", "payments", "discrepancies",
            "refunds", "statements", "tickets", "contact-messages", "plugins", "incidents",
            "actions", "charts", "nic-tu-nie-ma",
        )
    },
}  # fmt: skip
IS_DRAWN = """async () => {
  await document.fonts.ready
  while (document.querySelector("main [aria-busy=true], main .MuiSkeleton-root, [role=progressbar]:not([aria-valuenow])"))
    await new Promise((again) => setTimeout(again, 20))
}"""  # noqa: E501


@pytest.fixture(scope="module")
def scripts(scripts) -> list[str]:
    return [*scripts, AXE_LOADER]


@pytest.fixture(scope="module")
def operator(product):
    fleet_with_history(product)
    return product.log_in_operator()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PATHS)
def test_the_screen_is_accessible_and_fits(open_page, operator, name, language):
    page = open_page(company=operator, language=LANGUAGES[language])
    page.goto(f"/admin/{PATHS[name]}")
    page.locator("h1").first.wait_for()
    problems = []
    for width, scheme in VIEWPORTS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(IS_DRAWN)
        found = [*violations(page), *horizontal_overflow(page)]
        problems += [f"{width} {scheme}: {problem}" for problem in found]
        if TAKES_SCREENSHOTS:
            SCREENSHOTS.mkdir(exist_ok=True)
            picture = f"console-{name}-{language}-{width}-{scheme}.png"
            page.screenshot(path=SCREENSHOTS / picture, full_page=True)
    assert problems == []
