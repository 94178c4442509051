"""From the trial to a paid subscription, by every method, and what one can do with it then."""

import re

from panel import heading, toast
from playwright.sync_api import expect
from tills import (
    BLIK_THAT_IS_REFUSED,
    BLIK_THAT_SUCCEEDS,
    BUYER,
    SUBSCRIPTION,
    SUCCESS,
    at_the_till,
    book_transfer,
    buyer,
    choose,
    expect_paid,
    order,
    plan,
    press,
    subscriber,
)


def test_a_trial_then_a_card_and_not_a_day_is_lost(browse, product):
    company = product.verified("karta")
    page = browse(company=company)
    page.goto(SUBSCRIPTION)
    page.get_by_label("NIP firmy").fill(BUYER["taxId"])
    page.get_by_role("button", name="Rozpocznij okres próbny").click()
    expect(page.get_by_text("Okres próbny: pozostało 7 dni")).to_be_visible()
    expect(plan(page, "Plan")).to_contain_text("Okres próbny, do 5 kierowców")

    order(page)
    expect(toast(page, "Uzupełnij dane rozliczeniowe")).to_contain_text("Błąd!")
    expect(page.get_by_label("Nazwa firmy")).to_be_focused()
    page.get_by_label("Nazwa firmy").fill(BUYER["companyName"])
    page.get_by_label("NIP", exact=True).fill(BUYER["taxId"])
    page.get_by_label("Ulica i numer").fill(BUYER["street"])
    page.get_by_label("Kod pocztowy").fill("00950")
    page.get_by_label("Miasto").fill(BUYER["city"])
    page.get_by_role("button", name="Zapisz dane").click()
    expect(toast(page, "Dane rozliczeniowe zaktualizowane!")).to_contain_text("Sukces!")
    expect(page.get_by_role("button", name="Edytuj dane")).to_be_visible()
    assert company.client.get("/api/subscription").json()["user"] == BUYER

    page.get_by_role("button", name="Więcej kierowców").click()
    summary = page.get_by_role("region", name="Podsumowanie")
    expect(summary).to_contain_text("244,77")
    order(page)
    expect(at_the_till(page)).to_contain_text("244,77")
    press(page, "^Zapłać")
    page.wait_for_url(re.compile(SUCCESS))
    expect_paid(page)
    expect(page.get_by_text("Twoja subskrypcja jest aktywna.")).to_be_visible()
    page.wait_for_url(re.compile("/panel$"))  # by itself, after five seconds
    expect(heading(page, "Panel główny")).to_be_visible()

    page.goto(SUBSCRIPTION)
    expect(plan(page, "Plan")).to_contain_text("do 10 kierowców")
    expect(plan(page, "Pozostało")).to_contain_text("37 dni")
    expect(plan(page, "Odnowienie")).to_contain_text("Visa •••• 4242")
    expect(page.get_by_role("button", name="Pobierz PDF")).to_be_visible()  # drawn by now
    expect(page.get_by_text("Okres próbny")).to_have_count(0)


def test_an_invoice_can_be_downloaded(browse, product):
    page = browse(company=subscriber(product, "faktura"))
    page.goto(SUBSCRIPTION)
    with page.expect_download() as download:
        page.get_by_role("button", name="Pobierz PDF").click()
    assert download.value.suggested_filename.endswith(".pdf")
    assert download.value.path().read_bytes().startswith(b"%PDF")


def test_a_blik_code_is_typed_on_our_page(browse, product):
    page = browse(company=buyer(product, "blik"))
    page.goto(SUBSCRIPTION)
    choose(page, "BLIK")
    order(page)
    code = page.get_by_label("Kod BLIK")
    expect(code).to_be_focused()
    expect(page.get_by_text("Kod BLIK ma 6 cyfr")).to_be_visible()
    code.fill(BLIK_THAT_IS_REFUSED)
    order(page)
    form = page.get_by_role("form", name="Wybierz plan")
    expect(form.get_by_role("alert")).to_be_visible()
    expect(toast(page, "Błąd!")).to_be_visible()

    code.fill(BLIK_THAT_SUCCEEDS)
    order(page)
    page.wait_for_url(re.compile(SUCCESS))
    expect_paid(page)
    page.get_by_role("button", name="Przejdź do panelu").click()
    expect(heading(page, "Panel główny")).to_be_visible()


def test_przelewy24_leads_to_a_page_of_its_own_and_back(browse, product):
    page = browse(company=buyer(product, "p24"))
    page.goto(SUBSCRIPTION)
    choose(page, "Przelewy24")
    expect(page.get_by_text("Ta płatność nie odnawia się sama.")).to_be_visible()
    order(page)
    expect(at_the_till(page)).to_contain_text("Przelewy24")
    press(page, "^Zapłać")
    expect_paid(page)
    page.goto(SUBSCRIPTION)
    expect(plan(page, "Odnowienie")).to_contain_text("Ręczne")


def test_a_transfer_counts_when_the_operator_has_booked_it(browse, product):
    company = buyer(product, "przelew")
    page = browse(company=company)
    page.goto(SUBSCRIPTION)
    choose(page, "Przelew tradycyjny")
    order(page)
    expect(heading(page, "Zamówienie czeka na płatność")).to_be_visible()
    expect(plan(page, "Kwota")).to_contain_text("183,27")
    expect(plan(page, "Numer rachunku")).to_contain_text(re.compile(r"[A-Z0-9]{4} \d{4} \d{4}"))
    title = page.locator("dl > div").filter(has_text="Tytuł przelewu").locator("dd").first
    expect(page.get_by_text("Nieaktywna")).to_be_visible()

    assert book_transfer(product, title.inner_text(), 18327)["ok"]
    product.doors.post("/dev/jobs")
    page.reload()
    expect(plan(page, "Status")).to_contain_text("Aktywna")
    expect(plan(page, "Pozostało")).to_contain_text("30 dni")
    expect(page.get_by_text("Zamówienie czeka na płatność")).to_have_count(0)


def test_a_payment_that_fails_leads_back_to_another_try(browse, product):
    company = buyer(product, "odmowa")
    page = browse(company=company)
    page.goto(SUBSCRIPTION)
    order(page)
    press(page, "^Odrzuć")
    expect(heading(page, "Payment Failed")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("Wystąpił problem podczas przetwarzania płatności")).to_be_visible()
    assert company.client.get("/api/subscription").json()["status"] == "inactive"

    page.get_by_role("link", name="Spróbuj ponownie").click()
    choose(page, "Przelewy24")
    order(page)
    press(page, "^Zapłać")
    expect_paid(page)


def test_who_leaves_the_till_can_come_back_to_it(browse, product):
    page = browse(company=buyer(product, "namysl"))
    page.goto(SUBSCRIPTION)
    order(page)
    till = at_the_till(page).page.url
    page.goto(SUBSCRIPTION)
    expect(heading(page, "Zamówienie czeka na płatność")).to_be_visible()
    page.get_by_role("button", name="Dokończ płatność").click()
    page.wait_for_url(till)
    press(page, "^Zapłać")
    expect_paid(page)


def test_a_subscription_is_cancelled_and_resumed(browse, product):
    company = subscriber(product, "rezygnacja")
    page = browse(company=company)
    page.goto(SUBSCRIPTION)
    page.get_by_role("button", name="Anuluj subskrypcję").click()
    dialog = page.get_by_role("alertdialog", name="Anulować subskrypcję?")
    expect(dialog).to_contain_text("Dostęp pozostanie do")
    dialog.get_by_role("button", name="Anuluj subskrypcję").click()
    expect(toast(page, "Subskrypcja anulowana!")).to_contain_text("Sukces!")
    expect(
        page.get_by_text(re.compile(r"^Anulowana, dostęp do \d\d\.\d\d\.\d{4}$"))
    ).to_be_visible()
    assert company.client.get("/api/subscription").json()["cancelled"] is True

    page.get_by_role("button", name="Wznów subskrypcję").click()
    expect(toast(page, "Subskrypcja wznowiona!")).to_be_visible()
    expect(plan(page, "Status")).to_contain_text("Aktywna")
    assert company.client.get("/api/subscription").json()["cancelled"] is False


def test_the_limit_is_raised_at_once_with_the_saved_card_and_lowered_for_later(browse, product):
    company = subscriber(product, "rozwoj", drivers=10)
    page = browse(company=company)
    page.goto(SUBSCRIPTION)
    page.get_by_role("button", name="Więcej kierowców").click()
    expect(page.get_by_role("radio", name="Wyższy limit od razu")).to_be_checked()
    expect(page.get_by_role("radio", name="Zapisana metoda: Visa •••• 4242")).to_be_checked()
    expect(page.get_by_role("region", name="Podsumowanie")).to_contain_text("61,50")
    page.get_by_role("button", name="Podwyższ limit").click()
    expect(plan(page, "Plan")).to_contain_text("do 15 kierowców")

    page.get_by_role("button", name="Mniej kierowców").click()
    expect(page.get_by_text("Teraz nic nie płacisz.")).to_be_visible()
    page.get_by_role("button", name="Obniż limit").click()
    expect(plan(page, "Plan")).to_contain_text("do 10 kierowców")
    assert company.client.get("/api/subscription").json()["driverLimit"] == 15
    page.get_by_role("button", name="Zostaw obecny limit").click()
    expect(toast(page, "Limit zostaje bez zmian")).to_be_visible()
    assert company.client.get("/api/subscription").json()["nextLimit"] is None
