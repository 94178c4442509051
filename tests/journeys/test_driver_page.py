"""Journeys of a driver's page: from a mail to the proof, and back to the list."""

import re

from companies import PASSWORD
from panel_page import heading, row, toast
from playwright.sync_api import expect

PHONE = {"width": 390, "height": 844}
SCROLLBAR_WIDTH = 15  # none on a phone
ISSUED = {"kod": "DICT003_WYD", "wartosc": "Wydany"}
WITHHELD = {"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"}


def withhold_driver(product):
    """A company whose only driver has just been withheld, with the mail about it."""
    company = product.create_company("karta")
    document = {"firstName": "Ewa", "lastName": "Wójcik"}
    product.add_document("KT700001", **document, state=ISSUED)
    company.add_driver("Ewa", "Wójcik", "KT700001")
    product.run_daily_check()
    product.add_document("KT700001", **document, state=WITHHELD)
    (driver,) = company.client.get("/api/drivers?verifications=0").json()
    assert company.client.post(f"/api/drivers/{driver['id']}/verify").is_success
    product.run_daily_check()  # sends what is due
    mail = product.wait_for_mail(company.email, "Zatrzymane uprawnienia: Ewa Wójcik")
    return company, driver["id"], mail


def test_a_mail_leads_to_the_act_and_through_the_sign_in_to_the_driver_on_a_phone(
    open_page, product
):
    company, driver_id, mail = withhold_driver(product)
    page = open_page()
    page.set_viewport_size({**PHONE, "width": 320})

    page.goto(mail["link"])
    act = page.get_by_role("button", name="Potwierdź odsunięcie")
    expect(act).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    expect(page).to_have_url(re.compile("/ack$"))
    act.click()
    expect(page.get_by_role("status").get_by_text("Odsunięto od jazdy")).to_be_visible()
    expect(page.get_by_text(re.compile(f"^{company.email}, "))).to_be_visible()
    page.reload()
    expect(page.get_by_text(re.compile(f"^{company.email}, "))).to_be_visible()
    assert page.context.cookies() == []
    page.set_viewport_size(PHONE)
    page.get_by_role("link", name="Otwórz w panelu").click()
    expect(page.get_by_text("Zaloguj się, aby zobaczyć kierowcę.")).to_be_visible()
    page.get_by_label("E-mail").fill(company.email)
    page.get_by_label("Hasło", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Zaloguj").click()

    panel = page.get_by_role("dialog", name="Ewa Wójcik")
    expect(panel).to_be_visible()
    expect(page).to_have_url(re.compile(f"/panel/drivers/{driver_id}$"))
    expect(page).to_have_title(re.compile("^Ewa Wójcik"))
    expect(panel.get_by_text("Nie może jechać", exact=True)).to_be_visible()
    expect(panel.get_by_text(re.compile(r"^od .* \(dzisiaj\)$"))).to_be_visible()
    expect(panel.get_by_role("img", name=re.compile("zatrzymane: 1"))).to_be_visible()
    notices = panel.get_by_role("region", name="Powiadomienia o kierowcy")
    expect(notices.get_by_text("Zatrzymane uprawnienia: Ewa Wójcik")).to_be_visible()
    expect(notices.get_by_text(re.compile("E-mail: (wysłano|doręczono)"))).to_be_visible()
    box = panel.bounding_box()
    assert box["x"] == 0
    assert PHONE["width"] - box["width"] <= SCROLLBAR_WIDTH
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    page.reload()
    expect(panel).to_be_visible()
    with page.expect_download() as download:
        panel.get_by_role("button", name="Pobierz potwierdzenie (PDF)").first.click()
    assert re.fullmatch(r"potwierdzenie-KT700001-[\d-]+\.pdf", download.value.suggested_filename)

    panel.get_by_role("button", name="Zamknij").click()
    expect(panel).to_have_count(0)
    expect(heading(page, "Panel zarządzania kierowcami")).to_be_visible()


def test_a_name_in_the_list_opens_the_page_and_back_closes_it(open_page, product):
    company, driver_id, _ = withhold_driver(product)
    page = open_page(company=company)
    page.goto("/panel/drivers?q=KT700001")

    row(page, "Wójcik").get_by_role("link").first.click()
    panel = page.get_by_role("dialog", name="Ewa Wójcik")
    expect(panel).to_be_visible()
    assert panel.bounding_box()["width"] == 420
    page.go_back()
    expect(panel).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/panel/drivers\?q=KT700001$"))

    row(page, "Wójcik").get_by_role("link").first.click()
    panel.get_by_role("button", name="Więcej").click()
    page.get_by_role("menuitem", name="Usuń kierowcę").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Usuń kierowcę").click()
    expect(toast(page, "Sukces")).to_contain_text("Kierowca został usunięty")
    expect(panel).to_have_count(0)

    page.goto(f"/panel/drivers/{driver_id}")
    expect(page.get_by_role("dialog", name="404 Page Not Found")).to_be_visible()


def test_the_list_behind_a_driver_is_printed_without_the_shade_of_the_overlay(open_page, product):
    page = open_page(company=product.log_in_demo_company(), reusable=False)
    page.set_viewport_size({"width": 1000, "height": 900})  # beside the list there is no overlay
    page.goto("/panel/drivers")
    page.get_by_role("row").get_by_role("link").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    overlay = page.locator("[data-modal]").locator("xpath=preceding-sibling::*[@aria-hidden]").last
    expect(overlay).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(overlay).to_be_hidden()


def test_closing_a_driver_leaves_the_list_as_it_was(open_page, product):
    page = open_page(company=product.log_in_demo_company(), reusable=False)
    page.goto("/panel/drivers?status=valid&sort=-lastName&page=2")
    shown = page.get_by_role("row").get_by_role("link")
    expect(shown.first).to_be_visible()
    names = [link.get_attribute("aria-label") for link in shown.all()]

    def expect_the_same_list():
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page).to_have_url(re.compile(r"/panel/drivers\?status=valid&sort=-lastName&page=2$"))
        expect(page.get_by_label("Więcej", exact=True)).to_have_value("valid")
        assert [link.get_attribute("aria-label") for link in shown.all()] == names

    shown.first.click()
    page.get_by_role("dialog", name=names[0]).get_by_role("button", name="Zamknij").click()
    expect_the_same_list()

    shown.nth(1).click()
    expect(page.get_by_role("dialog", name=names[1])).to_be_visible()
    page.keyboard.press("Escape")
    expect_the_same_list()

    # The whole row is its link; the keyboard follows the link itself.
    page.get_by_role("row").filter(has_text=names[0].split()[-1]).locator("time").first.click()
    expect(page.get_by_role("dialog", name=names[0])).to_be_visible()
    page.keyboard.press("Escape")
    expect_the_same_list()
    shown.first.press("Enter")
    expect(page.get_by_role("dialog", name=names[0])).to_be_visible()
    page.keyboard.press("Escape")
    expect_the_same_list()
