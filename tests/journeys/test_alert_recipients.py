"""A company adds a person without an account, who agrees, gets an alert and stops them."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from accessibility import horizontal_overflow, violations
from panel_page import toast
from playwright.sync_api import Page, expect

NOON = datetime.now(ZoneInfo("Europe/Warsaw")).replace(hour=12, minute=0, second=0)
LINK = re.compile(r"http\S+/auth/alerts#token=\S+")


def find_link(mail: dict) -> str:
    [link] = set(LINK.findall(mail["text"]))
    return link


def row(page: Page, name: str):
    return page.get_by_role("row", name=re.compile(name))


def check_layout(page: Page) -> None:
    assert violations(page) == []
    assert horizontal_overflow(page) == []


def test_a_night_shift_agrees_gets_an_alert_and_stops_them(open_page, product):
    company = product.create_company("odbiorcy")
    shift = f"nocna-{company.email}"
    page = open_page(company=company)
    page.goto("/panel/notifications")
    page.get_by_role("button", name="Dodaj osobę bez konta").click()
    form = page.get_by_role("form", name="Dodaj osobę bez konta")
    form.get_by_label("Imię albo nazwa").fill("Nocna zmiana")
    form.get_by_label("Adres e-mail").fill(shift)
    form.get_by_role("checkbox", name="płatności").uncheck()
    check_layout(page)
    form.get_by_role("button", name="Wyślij zaproszenie").click()
    expect(toast(page, f"Zaproszenie wysłane na {shift}")).to_be_visible()
    expect(row(page, "Nocna zmiana")).to_contain_text("czeka na zgodę")

    visitor = open_page(width=390)
    visitor.goto(find_link(product.wait_for_mail(shift, "alerty o kierowcach")))
    expect(visitor.get_by_text(f"chce wysyłać na adres {shift} alerty")).to_be_visible()
    assert "#" not in visitor.url  # the history keeps no token
    check_layout(visitor)
    visitor.get_by_role("button", name="Zgadzam się, wysyłajcie").click()
    expect(visitor.get_by_role("status").get_by_text("Dostajesz alerty")).to_be_visible()

    with product.clock_set_to(NOON.isoformat()):
        company.add_driver("Jan", "Zatrzymany", "PO600009")
        product.run_daily_check()
    alert = product.wait_for_mail(shift, "Zatrzymane uprawnienia: Jan Zatrzymany")
    page.reload()
    expect(row(page, "Nocna zmiana")).to_contain_text("dostaje alerty")

    visitor.goto("/robots.txt")  # an open page would only be shown another fragment
    visitor.goto(find_link(alert))
    visitor.get_by_role("button", name="Nie wysyłajcie mi więcej alertów").click()
    expect(visitor.get_by_text("Tylko Ty możesz je wznowić")).to_be_visible()
    check_layout(visitor)
    page.reload()
    expect(row(page, "Nocna zmiana")).to_contain_text("rezygnacja")
    product.wait_for_mail(company.email, "Nie dostaje już alertów: Nocna zmiana")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_choices_are_saved_by_keyboard(open_page, product, width, scheme):
    company = product.create_verified_company("wybor")
    company.post("/api/alert-recipients", name="Księgowość", email=f"fk-{company.email}")
    page = open_page(company=company, width=width, scheme=scheme)
    page.goto("/panel/notifications")
    expiry = row(page, "to Ty").get_by_role("checkbox", name="terminy")
    expiry.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Zapisz odbiorców").press("Enter")
    expect(toast(page, "Ustawienia zapisane")).to_be_visible()
    check_layout(page)
    page.reload()
    expect(expiry).not_to_be_checked()

    withheld = row(page, "to Ty").get_by_role("checkbox", name="zatrzymania")
    withheld.press("Space")
    page.get_by_role("button", name="Zapisz odbiorców").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Co najmniej jedna osoba z kontem")
    expect(withheld).to_be_checked()
    page.get_by_role("switch", name="Powiadomienia e-mail").click()
    expect(page.get_by_text("dowiesz się tylko w panelu")).to_be_visible()
    page.get_by_role("button", name="Zapisz ustawienia").click()
    expect(toast(page, "Ustawienia zapisane")).to_be_visible()
    row(page, "Księgowość").get_by_role("button", name="Usuń").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Usuń").click()
    expect(row(page, "Księgowość")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
