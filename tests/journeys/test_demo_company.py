"""Journeys of the demo's own company."""

import re

from companies import DEMO_LOGIN
from panel_page import heading, log_in, row
from playwright.sync_api import expect


def test_the_demo_shows_a_withheld_driver_and_thirty_days_of_history(page):
    log_in(page, *DEMO_LOGIN)
    section = page.get_by_role("region", name="WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI")
    expect(section.get_by_role("listitem")).to_have_count(1)
    expect(section).to_contain_text("Michał Piątek")
    expect(page.get_by_role("region", name="Wymaga uwagi")).to_contain_text("Ryszard Ósmak")
    expect(heading(page, "Liczba kierowców").locator("..")).to_contain_text("12")
    expect(heading(page, "Aktywne uprawnienia").locator("..")).to_contain_text("10")

    page.goto("/panel/drivers?q=Kowalski")
    row(page, "Kowalski").get_by_role("button", name="Historia weryfikacji").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("time").first).to_be_visible()
    folded = re.findall(r"(\d+)\ssprawdze", dialog.inner_text())  # equal days are one entry
    assert sum(map(int, folded)) >= 29


def test_a_notification_is_marked_as_read(open_page, product):
    company = product.create_company("wiadomości".replace("ś", "s").replace("ó", "o"))
    company.add_driver("Jan", "Zatrzymany", "PO500009")
    product.run_daily_check()
    page = open_page(company=company)
    page.goto("/panel")
    menu_link = page.get_by_role("link", name="Powiadomienia")
    expect(menu_link).to_contain_text("1 nieprzeczytane")
    menu_link.click()
    notification = page.get_by_role("listitem").filter(has_text="Jan Zatrzymany")
    expect(notification.get_by_text("Nowe", exact=True)).to_be_visible()
    notification.get_by_role("button", name="Oznacz jako przeczytane").click()
    expect(notification.get_by_text("Nowe", exact=True)).to_have_count(0)
    expect(menu_link).not_to_contain_text("nieprzeczytane")
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="Jan Zatrzymany")).to_be_visible()
    expect(page.get_by_role("button", name="Oznacz jako przeczytane")).to_have_count(0)
