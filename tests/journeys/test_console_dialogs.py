"""Checks the console's dialogs: accessibility, overflow, and that nothing in them is lost or jumps.

In both themes, on phones as well.
"""

import pytest
from accessibility import AXE_LOADER, horizontal_overflow, violations
from companies import CompanyClient
from console_page import REASON, fleet_with_history, press_action, press_company_action
from page_pool import HEIGHT
from playwright.sync_api import Locator, Page, Route, expect

VIEWPORTS = ((1280, "light"), (1280, "dark"), (390, "light"), (390, "dark"), (320, "dark"))
ACTS = {
    "users": ["Historia", "Zaloguj jako", "Usuń"],
    "companies": ["Zawieś", "Przedłuż", "Eksportuj dane", "Usuń dane"],
    "tickets": ["Odpowiedz", "Zamknij"],
}


@pytest.fixture(scope="module")
def scripts(scripts) -> list[str]:
    return [*scripts, AXE_LOADER]


@pytest.fixture(scope="module")
def company(product) -> CompanyClient:
    company = fleet_with_history(product)
    company.post("/api/help/ticket", subject="Pytanie o kierowcę", message="Nie widzę kierowcy.",
                 userInfo={"email": company.email, "companyName": "Flota"})  # fmt: skip
    return company


@pytest.fixture
def page(open_page, product) -> Page:
    """A page of the signed-in operator."""
    return open_page(company=product.log_in_operator())


def problems(page: Page) -> list[str]:
    found = []
    for width, scheme in VIEWPORTS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(".MuiSkeleton-root")).to_have_count(0)
        page.wait_for_timeout(50)  # until the theme has changed
        here = [*violations(page), *horizontal_overflow(page)]
        found += [f"{width} {scheme}: {problem}" for problem in here]
    return found


@pytest.mark.parametrize(
    ("resource", "label"), [(name, label) for name, labels in ACTS.items() for label in labels]
)
def test_the_dialog_is_accessible_and_fits(page, company, resource, label):
    page.goto(f"/admin/{resource}")
    row = page.get_by_role("row").filter(has_text=company.email)
    press = press_company_action if label in ACTS["companies"] else press_action
    press(row.first, label)
    expect(page.get_by_role("dialog")).to_be_visible()
    assert problems(page) == []


@pytest.mark.parametrize("tab", ["Subskrypcje", "Weryfikacje"])
def test_the_tab_of_the_history_is_accessible_and_fits(page, company, tab):
    page.goto("/admin/users")
    press_action(page.get_by_role("row").filter(has_text=company.email).first, "Historia")
    page.get_by_role("tab", name=tab).click()
    assert problems(page) == []


def test_the_edit_form_and_a_selection_are_accessible_and_fit(page, company):
    page.goto("/admin/users")
    row = page.get_by_role("row").filter(has_text=company.email)
    row.get_by_role("checkbox").check()
    expect(page.get_by_text("Zaznaczono 1")).to_be_visible()
    assert problems(page) == []
    page.set_viewport_size({"width": 1280, "height": HEIGHT})
    row.get_by_role("link", name="Edytuj").click()
    page.get_by_label("Powód").wait_for()
    page.get_by_role("button", name="Zapisz").scroll_into_view_if_needed()
    assert problems(page) == []


WIDE, PHONE = 1280, 390


@pytest.mark.parametrize(("first", "second"), [(WIDE, PHONE), (PHONE, WIDE)])
def test_what_was_typed_stays_when_the_window_changes_the_layout(page, company, first, second):
    page.set_viewport_size({"width": first, "height": HEIGHT})
    page.goto("/admin/companies")
    cells = page.get_by_role("row").or_(page.locator("main li"))
    press_company_action(cells.filter(has_text=company.email).first, "Zawieś")
    reason = page.get_by_role("dialog").get_by_label("Powód")
    reason.fill(REASON)
    page.set_viewport_size({"width": second, "height": HEIGHT})
    page.wait_for_timeout(100)  # until the layout would have changed
    expect(reason).to_have_value(REASON)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")  # the company
    rows = page.get_by_role("table") if second == WIDE else page.locator("main li").first
    expect(rows).to_be_visible()
    expect(page.get_by_role("table")).to_have_count(1 if second == WIDE else 0)


def test_the_history_keeps_its_place_while_it_loads_and_pages(page, company):
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/history", hold)
    page.goto("/admin/users")
    press_action(page.get_by_role("row").filter(has_text=company.email).first, "Historia")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".MuiSkeleton-root")).to_be_visible()
    box = place(dialog)
    history = waiting[0].fetch().json()
    entry = history["activity"][0]
    waiting[0].fulfill(json={
        **history, "activity": [{**entry, "id": f"{number}"} for number in range(11)],
    })  # fmt: skip
    expect(dialog.locator("tbody tr")).to_have_count(10)
    assert place(dialog) == box
    dialog.get_by_role("button", name="Następna strona").click()
    expect(dialog.locator("tbody tr")).to_have_count(1)
    assert place(dialog) == box
    dialog.get_by_role("tab", name="Subskrypcje").click()
    assert place(dialog) == box


def place(dialog: Locator) -> dict[str, float]:
    box = dialog.bounding_box()
    assert box
    return dict(box)
