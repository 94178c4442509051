"""Checks the console's dialogs: accessibility and overflow, in both themes, on phones as well."""

import pytest
from accessibility import AXE_LOADER, horizontal_overflow, violations
from companies import CompanyClient
from console_page import fleet_with_history, press_action
from page_pool import HEIGHT
from playwright.sync_api import Page, expect

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
    press_action(row.first, label)
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
