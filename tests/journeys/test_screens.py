"""Checks every state of every screen: accessibility, CSP violations and overflow.

`make e2e` also writes screenshots to `screenshots/`: of public pages at all widths, in both
languages and themes.
"""

import os
from contextlib import nullcontext
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from accessibility import AXE_LOADER, horizontal_overflow, violations
from account_screens import ACCOUNT_STATES
from companies import CompanyClient
from page_pool import HEIGHT
from playwright.sync_api import Page
from screens import STATES, Screen, State
from subscription_screens import SUBSCRIPTION_STATES

HERE = Path(__file__).parent
# One script: Playwright's own waiting would use eval, which the CSP blocks.
WAIT_UNTIL_STILL = """async (busy) => {
  const drawn = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
  const hasSpinner = () => !busy && document.querySelector("main [data-spinner]")
  const isAnimating = () =>
    document.getAnimations().some((animation) => animation instanceof CSSTransition)
  const begin = performance.now()
  await drawn()
  await document.fonts.ready
  while (hasSpinner() || isAnimating()) {
    if (performance.now() - begin > 10_000) throw Error("the screen does not become still")
    await drawn()
  }
}"""
SCREENSHOTS = HERE / "screenshots"
TAKES_SCREENSHOTS = "ALL_JOURNEYS" in os.environ
NARROW, PHONE, WIDE = 320, 390, 1280
ZOOMED = WIDE // 2  # what a browser that enlarges everything twice (WCAG 1.4.4) has for the layout
PUBLIC_WIDTHS = (PHONE, 768, 1024, WIDE, 1920)
IN_ALL_VIEWPORTS = {"landing", "register-errors", "fleet-dashboard", "fleet-drivers", "details"}
LANGUAGES = {"pl": "pl-PL", "en": "en-GB"}


@pytest.fixture(scope="module")
def companies(product) -> dict[str, CompanyClient]:
    """The companies of the states."""
    fleet = product.create_company("flota")
    product.add_document(
        "ZZ100009", firstName="Zdzisława", lastName="Brzęk-Łopuszańska",
        state={"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
        reasons=[{"kod": "DICT067_PKT", "wartosc": "Przekroczenie 24 punktów karnych"}],
        expiryDate="2033-05-21", issuingAuthority="Prezydent Miasta Łodzi",
        categories=[{"kategoria": "B", "dataWaznosci": "2033-05-21"}, {"kategoria": "AM"}],
    )  # fmt: skip
    product.add_document(
        "ZZ100004", firstName="Ewa", lastName="Nowa", expiryDate="2021-03-01",
        state={"kod": "DICT003_WYD", "wartosc": "Wydany"},
    )  # fmt: skip
    product.add_document(
        "ZZ100005", firstName="Jan", lastName="Dawny",
        state={"kod": "DICT003_UNI", "wartosc": "Unieważniony"},
    )  # fmt: skip
    fleet.add_driver("Zdzisława", "Brzęk-Łopuszańska", "ZZ100009")
    fleet.add_driver("Adam", "Nieznany", "ZZ100008")
    fleet.add_driver("Ewa", "Nowa", "ZZ100004")
    fleet.add_driver("Jan", "Dawny", "ZZ100005")
    product.run_daily_check()
    fleet.add_driver("Świeżo", "Dodany", "ZZ100001")
    return {
        "unverified": product.register_company("niepotwierdzony"),
        "newcomer": product.create_verified_company("nowy"),
        "empty": product.create_company("pusty"),
        "fleet": fleet,
        "demo": product.log_in_demo_company(),
    }


@pytest.fixture(scope="module")
def scripts(scripts) -> list[str]:
    return [*scripts, AXE_LOADER]


def wait_until_drawn(page: Page, *, busy: bool) -> None:
    """Wait until the screen is drawn and, unless `busy`, its requests are answered."""
    page.locator("h1, [data-modal]").first.wait_for()
    page.evaluate(WAIT_UNTIL_STILL, busy)


def set_viewport(page: Page, state: State, width: int, scheme: str) -> None:
    """Set the size and the colour scheme, and wait until the screen is drawn."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme=scheme)
    page.evaluate(WAIT_UNTIL_STILL, state.busy)


def find_problems(page: Page, state: State, language: str, width: int, scheme: str) -> list[str]:
    set_viewport(page, state, width, scheme)
    problems = [*violations(page), *horizontal_overflow(page)]
    return [f"{language} {width} {scheme}: {problem}" for problem in problems]


def find_narrow_problems(page: Page, state: State, language: str) -> list[str]:
    """Return overflow at the smallest width and at 200 % zoom.

    axe-core's rules see the same layout as on a phone.
    """
    problems = []
    for width in (NARROW,) if state.mobile else (NARROW, ZOOMED):
        set_viewport(page, state, width, "light")
        problems += [f"{language} {width}: {problem}" for problem in horizontal_overflow(page)]
    return problems


def take_public_screenshots(page: Page, state: State, language: str) -> None:
    for scheme in ("light", "dark"):
        for width in PUBLIC_WIDTHS:
            if not (state.mobile and width > PHONE):
                set_viewport(page, state, width, scheme)
                take_screenshot(page, state, language, width, scheme)


def take_screenshot(page: Page, state: State, language: str, width: int, scheme: str) -> None:
    modal = page.locator("[data-modal]").count() > 0
    name = f"{state.name}-{language}-{width}{'-dark' if scheme == 'dark' else ''}.png"
    page.screenshot(path=SCREENSHOTS / name, full_page=not modal)


def open_state(open_page, company: CompanyClient | None, state: State, language: str) -> Page:
    page = open_page(
        company=company, language=LANGUAGES[language], width=NARROW if state.mobile else WIDE,
        reusable=not state.stays,
    )  # fmt: skip
    state.install_routes(page)
    page.goto(state.path)
    wait_until_drawn(page, busy=state.busy)
    if state.step:
        state.step(Screen(page, language))
    return page


# Each pair of language, width and colour scheme occurs once.
VIEWPORTS = {"pl": ((WIDE, "light"), (PHONE, "dark")), "en": ((WIDE, "dark"), (PHONE, "light"))}


@pytest.mark.parametrize(
    "state", STATES + ACCOUNT_STATES + SUBSCRIPTION_STATES, ids=lambda state: state.name
)
def test_a_screen_is_accessible_and_violates_no_policy(state, open_page, product, companies):
    moved_time = datetime.now().astimezone() + timedelta(days=state.days)
    problems: list[str] = []
    with product.clock_set_to(moved_time.isoformat()) if state.days else nullcontext():
        for language, viewports in VIEWPORTS.items():
            page = open_state(open_page, companies.get(state.company), state, language)
            for width, scheme in viewports:
                if not (state.mobile and width == WIDE):
                    problems += find_problems(page, state, language, width, scheme)
                    if TAKES_SCREENSHOTS and (
                        state.name in IN_ALL_VIEWPORTS
                        or (language == "pl" and (width == WIDE or not state.single_viewport))
                    ):
                        take_screenshot(page, state, language, width, scheme)
            if TAKES_SCREENSHOTS and state.company is None:
                take_public_screenshots(page, state, language)
            problems += find_narrow_problems(page, state, language)
    assert problems == []
