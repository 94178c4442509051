"""A dispatcher's morning: what is new, who was taken off the road, and that a colleague sees it."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from companies import CompanyClient
from panel_page import toast
from payment_steps import create_subscriber
from playwright.sync_api import Locator, Page, expect

HEADING = "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI"
NOTE = "Telefonicznie, auto przejęła Anna Żak"


def create_company_with_withheld_driver(product) -> CompanyClient:
    company = create_subscriber(product, "poranna")
    product.add_document(
        "PO700001", firstName="Ewa", lastName="Wójcik",
        state={"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
    )  # fmt: skip
    product.add_document("PO700002", firstName="Anna", lastName="Żak")
    company.add_driver("Ewa", "Wójcik", "PO700001")
    company.add_driver("Anna", "Żak", "PO700002")
    product.run_daily_check()
    return company


def open_dashboard(page: Page) -> Locator:
    page.goto("/panel")
    section = page.get_by_role("region", name=HEADING)
    expect(section).to_be_visible()
    return section


def test_the_arrows_of_drivers_that_need_attention_stand_in_one_line(open_page, product):
    company = product.create_company("strzalki")
    soon = datetime.now(ZoneInfo("Europe/Warsaw")).date() + timedelta(days=12)
    product.add_document("PO700011", firstName="Ewa", lastName="Lis", expiryDate=str(soon))
    company.add_driver("Ewa", "Lis", "PO700011")  # nothing to do yet: no button
    company.add_driver("Adam", "Nieznany", "PO700018")
    product.run_daily_check()
    page = open_page(company=company)
    page.goto("/panel")
    section = page.get_by_role("region", name="Wymaga uwagi")
    expect(section.get_by_role("listitem")).to_have_count(2)
    expect(section.get_by_role("button", name="Odsunięty od jazdy")).to_have_count(1)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        arrows = section.locator("li > svg").evaluate_all(
            "(arrows) => arrows.map((arrow) => arrow.getBoundingClientRect().right)"
        )
        assert len(set(arrows)) == 1, width


def test_a_withheld_driver_is_taken_off_the_road_and_everybody_sees_by_whom(open_page, product):
    company = create_company_with_withheld_driver(product)
    page, colleague = open_page(company=company), open_page(company=company)
    section, seen_elsewhere = open_dashboard(page), open_dashboard(colleague)
    expect(
        page.get_by_text(re.compile(r"^sprawdzono 2 z\s2, ostatnio o\s\d\d:\d\d$"))
    ).to_be_visible()
    expect(section.get_by_role("heading", name="Nowe od wczoraj (1)")).to_be_visible()
    expect(section.get_by_text(re.compile(r"^Stwierdzono: .+ \(dzisiaj\)$"))).to_be_visible()

    section.get_by_role("button", name="Odsunięty od jazdy: Ewa Wójcik").click()
    note = section.get_by_label("Notatka")
    expect(note).to_be_focused()
    note.fill(NOTE)
    note.press("Enter")
    expect(toast(page, "Sukces")).to_contain_text("Ewa Wójcik")
    expect(section.get_by_role("heading", name="Znane (1)")).to_be_visible()
    expect(section.get_by_text(f"Odsunięcie od jazdy: {company.email}")).to_be_visible()
    expect(seen_elsewhere.get_by_role("heading", name="Znane (1)")).to_be_visible(timeout=30_000)

    section.get_by_role("button", name="Zobacz szczegóły: Ewa Wójcik").click()
    dialog = page.get_by_role("dialog", name="Szczegóły weryfikacji")
    expect(dialog).to_contain_text("Co zrobić")
    expect(dialog).to_contain_text(NOTE)
    dialog.get_by_role("button", name="Wycofaj wpis").click()
    expect(dialog).not_to_contain_text(NOTE)
    page.keyboard.press("Escape")
    expect(section.get_by_role("heading", name="Nowe od wczoraj (1)")).to_be_visible()
