"""Every screen in every state: accessible, nothing refused by its own policy, nothing cut off.

Pictures of all of them are left in `screenshots/`, for people to look at.
"""

from contextlib import nullcontext
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from accessibility import BRING_AXE, cut_off, violations
from account_screens import ACCOUNT_STATES
from browsing import HEIGHT
from companies import Company
from playwright.sync_api import Page
from screens import STATES, Screen, State
from subscription_screens import SUBSCRIPTION_STATES

HERE = Path(__file__).parent
# Asked in one go: Playwright's own waiting would have to evaluate, which the policy refuses.
STILL = """async (busy) => {
  const drawn = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
  const turning = () => !busy && document.querySelector("main [data-spinner]")
  const moving = () => document.getAnimations().some((one) => one instanceof CSSTransition)
  const begin = performance.now()
  await drawn()
  await document.fonts.ready
  while (turning() || moving()) {
    if (performance.now() - begin > 10_000) throw Error("the screen never came to rest")
    await drawn()
  }
}"""
PICTURES = HERE / "screenshots"
NARROW, PHONE, WIDE = 320, 390, 1280
ALSO_IN_OTHER_LOOKS = {"landing", "register-errors", "fleet-dashboard", "fleet-drivers", "details"}
LANGUAGES = {"pl": "pl-PL", "en": "en-GB"}


@pytest.fixture(scope="module")
def companies(product) -> dict[str, Company]:
    """Who looks at the screens."""
    fleet = product.company("flota")
    product.knows(
        "ZZ100009", firstName="Zdzisława", lastName="Brzęk-Łopuszańska",
        state={"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
        reasons=[{"kod": "DICT067_PKT", "wartosc": "Przekroczenie 24 punktów karnych"}],
        expiryDate="2033-05-21", issuingAuthority="Prezydent Miasta Łodzi",
        categories=[{"kategoria": "B", "dataWaznosci": "2033-05-21"}, {"kategoria": "AM"}],
    )  # fmt: skip
    product.knows(
        "ZZ100004", firstName="Ewa", lastName="Nowa", expiryDate="2021-03-01",
        state={"kod": "DICT003_WYD", "wartosc": "Wydany"},
    )  # fmt: skip
    product.knows(
        "ZZ100005", firstName="Jan", lastName="Dawny",
        state={"kod": "DICT003_UNI", "wartosc": "Unieważniony"},
    )  # fmt: skip
    fleet.add("Zdzisława", "Brzęk-Łopuszańska", "ZZ100009")
    fleet.add("Adam", "Nieznany", "ZZ100008")
    fleet.add("Ewa", "Nowa", "ZZ100004")
    fleet.add("Jan", "Dawny", "ZZ100005")
    product.daily_check()
    fleet.add("Świeżo", "Dodany", "ZZ100001")
    return {
        "unverified": product.registered("niepotwierdzony"),
        "newcomer": product.verified("nowy"),
        "empty": product.company("pusty"),
        "fleet": fleet,
        "demo": product.demo_company(),
    }


@pytest.fixture(scope="module")
def scripts(scripts) -> list[str]:
    return [*scripts, BRING_AXE]


def settle(page: Page, *, busy: bool) -> None:
    """Wait until the screen is drawn and its calls are answered, unless one never is."""
    page.locator("h1, [data-modal]").first.wait_for()
    page.evaluate(STILL, busy)


def look(page: Page, state: State, width: int, scheme: str) -> None:
    """Another window, another scheme, and the time to draw both."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme=scheme)
    page.evaluate(STILL, state.busy)


def complaints(page: Page, state: State, language: str, width: int, scheme: str) -> list[str]:
    look(page, state, width, scheme)
    found = [*violations(page), *cut_off(page)]
    return [f"{language} {width} {scheme}: {said}" for said in found]


def narrow_complaints(page: Page, state: State, language: str) -> list[str]:
    """Nothing needs scrolling sideways; what axe-core looks at is laid out as on a phone."""
    look(page, state, NARROW, "light")
    return [f"{language} {NARROW}: {said}" for said in cut_off(page)]


def photograph(page: Page, state: State, language: str, width: int, scheme: str) -> None:
    modal = page.locator("[data-modal]").count() > 0
    name = f"{state.name}-{language}-{width}{'-dark' if scheme == 'dark' else ''}.png"
    page.screenshot(path=PICTURES / name, full_page=not modal)


def reached(browse, company: Company | None, state: State, language: str) -> Page:
    page = browse(
        company=company, language=LANGUAGES[language], width=NARROW if state.mobile else WIDE,
        keep=not state.stays,
    )  # fmt: skip
    state.arrange(page)
    page.goto(state.path)
    settle(page, busy=state.busy)
    if state.step:
        state.step(Screen(page, language))
    return page


# Each of the two languages, widths and schemes meets each of the others once.
LOOKS = {"pl": ((WIDE, "light"), (PHONE, "dark")), "en": ((WIDE, "dark"), (PHONE, "light"))}


@pytest.mark.parametrize(
    "state", STATES + ACCOUNT_STATES + SUBSCRIPTION_STATES, ids=lambda state: state.name
)
def test_a_screen_is_accessible_and_obeys_its_own_policy(state, browse, product, companies):
    later = datetime.now().astimezone() + timedelta(days=state.days)
    found: list[str] = []
    with product.clock_at(later.isoformat()) if state.days else nullcontext():
        for language, looks in LOOKS.items():
            page = reached(browse, companies.get(state.who), state, language)
            for width, scheme in looks:
                if not (state.mobile and width == WIDE):
                    found += complaints(page, state, language, width, scheme)
                    if state.name in ALSO_IN_OTHER_LOOKS or (
                        language == "pl" and (width == WIDE or not state.rare)
                    ):
                        photograph(page, state, language, width, scheme)
            found += narrow_complaints(page, state, language)
    assert found == []
