"""The demo's own company: what somebody sees who only wants to look around."""

import re

from companies import DEMO
from panel import heading, log_in, row
from playwright.sync_api import expect
from tills import plan


def test_it_shows_one_withheld_driver_and_thirty_days_of_history(page):
    log_in(page, *DEMO)
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
    while dialog.get_by_role("button", name="Pokaż starsze").count():
        before = dialog.locator("time").count()
        dialog.get_by_role("button", name="Pokaż starsze").click()
        expect(dialog.locator("time").nth(before)).to_be_attached()
    assert dialog.locator("time").count() >= 29


def test_its_subscription_says_what_is_left(browse, product):
    page = browse(company=product.demo_company())
    page.goto("/panel/subscription")
    expect(plan(page, "Plan")).to_contain_text("do 15 kierowców")
    expect(page.get_by_text("Aktywna", exact=True)).to_be_visible()
    expect(plan(page, "Pozostało")).to_contain_text(re.compile(r"\d+ dni"))
    expect(page.get_by_text("Wypróbuj za darmo")).to_have_count(0)


def test_a_notification_is_marked_as_read(browse, product):
    company = product.company("wiadomości".replace("ś", "s").replace("ó", "o"))
    company.add("Jan", "Zatrzymany", "PO500009")
    product.daily_check()
    page = browse(company=company)
    page.goto("/panel")
    entry = page.get_by_role("link", name="Powiadomienia")
    expect(entry).to_contain_text("1 nieprzeczytane")
    entry.click()
    notification = page.get_by_role("listitem").filter(has_text="Jan Zatrzymany")
    expect(notification.get_by_text("Nowe", exact=True)).to_be_visible()
    notification.get_by_role("button", name="Oznacz jako przeczytane").click()
    expect(notification.get_by_text("Nowe", exact=True)).to_have_count(0)
    expect(entry).not_to_contain_text("nieprzeczytane")
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="Jan Zatrzymany")).to_be_visible()
    expect(page.get_by_role("button", name="Oznacz jako przeczytane")).to_have_count(0)
