"""Journeys of payments: every method, cancellation and changes of the limit."""

import re

from panel_page import heading, toast
from payment_steps import (
    ACCEPTED_BLIK_CODE,
    BUYER_DETAILS,
    REFUSED_BLIK_CODE,
    SUBSCRIPTION,
    SUCCESS,
    book_transfer,
    choose_method,
    create_buyer,
    create_subscriber,
    expect_paid,
    plan_fact,
    press_provider_button,
    provider_page,
    submit_order,
)
from playwright.sync_api import expect


def test_a_tax_id_with_separators_keeps_its_digits_however_it_enters(open_page, product):
    page = open_page(company=product.create_verified_company("nip"))
    page.goto(SUBSCRIPTION)
    field = page.get_by_label("NIP firmy")
    for text in ("526-10-40-828", "PL 526 104 08 28"):
        field.fill("")
        page.keyboard.insert_text(text)  # at once, but not pasted
        expect(field).to_have_value("5261040828")
        field.fill("")
        page.keyboard.type(text)
        expect(field).to_have_value("5261040828")


def test_a_period_paid_during_the_trial_starts_after_it(open_page, product):
    company = product.create_verified_company("karta")
    page = open_page(company=company)
    page.goto(SUBSCRIPTION)
    page.get_by_label("NIP firmy").fill(BUYER_DETAILS["taxId"])
    page.get_by_role("button", name="Rozpocznij okres próbny").click()
    expect(page.get_by_text("Okres próbny: pozostało 7 dni")).to_be_visible()
    expect(plan_fact(page, "Plan")).to_contain_text("Okres próbny, do 5 kierowców")

    submit_order(page)
    expect(toast(page, "Uzupełnij dane rozliczeniowe")).to_contain_text("Błąd!")
    expect(page.get_by_label("Nazwa firmy")).to_be_focused()
    page.get_by_label("Nazwa firmy").fill(BUYER_DETAILS["companyName"])
    page.get_by_label("NIP", exact=True).fill(BUYER_DETAILS["taxId"])
    page.get_by_label("Ulica i numer").fill(BUYER_DETAILS["street"])
    page.get_by_label("Kod pocztowy").fill("00950")
    page.get_by_label("Miasto").fill(BUYER_DETAILS["city"])
    page.get_by_role("button", name="Zapisz dane").click()
    expect(toast(page, "Dane rozliczeniowe zaktualizowane!")).to_contain_text("Sukces!")
    expect(page.get_by_role("button", name="Edytuj dane")).to_be_visible()
    assert company.client.get("/api/subscription").json()["user"] == BUYER_DETAILS

    page.get_by_role("button", name="Więcej kierowców").click()
    summary = page.get_by_role("region", name="Podsumowanie")
    expect(summary).to_contain_text("244,77")
    submit_order(page)
    expect(provider_page(page)).to_contain_text("244,77")
    press_provider_button(page, "^Zapłać")
    page.wait_for_url(re.compile(SUCCESS))
    expect_paid(page)
    expect(page.get_by_text("Twoja subskrypcja jest aktywna.")).to_be_visible()
    page.wait_for_url(re.compile("/panel$"))  # automatically, after five seconds
    expect(heading(page, "Panel główny")).to_be_visible()

    page.goto(SUBSCRIPTION)
    expect(plan_fact(page, "Plan")).to_contain_text("do 10 kierowców")
    expect(plan_fact(page, "Pozostało")).to_contain_text("37 dni")
    expect(plan_fact(page, "Odnowienie")).to_contain_text("Visa •••• 4242")
    expect(
        page.get_by_role("button", name="Pobierz PDF")
    ).to_be_visible()  # the PDF is ready by now
    expect(page.get_by_text("Okres próbny")).to_have_count(0)


def test_an_invoice_can_be_downloaded(open_page, product):
    page = open_page(company=create_subscriber(product, "faktura"))
    page.goto(SUBSCRIPTION)
    with page.expect_download() as download:
        page.get_by_role("button", name="Pobierz PDF").click()
    assert download.value.suggested_filename.endswith(".pdf")
    assert download.value.path().read_bytes().startswith(b"%PDF")


def test_a_blik_code_is_entered_on_the_order_form(open_page, product):
    page = open_page(company=create_buyer(product, "blik"))
    page.goto(SUBSCRIPTION)
    choose_method(page, "BLIK")
    submit_order(page)
    code = page.get_by_label("Kod BLIK")
    expect(code).to_be_focused()
    expect(page.get_by_text("Kod BLIK ma 6 cyfr")).to_be_visible()
    code.fill(REFUSED_BLIK_CODE)
    submit_order(page)
    form = page.get_by_role("form", name="Wybierz plan")
    expect(form.get_by_role("alert")).to_be_visible()
    expect(toast(page, "Błąd!")).to_be_visible()

    code.fill(ACCEPTED_BLIK_CODE)
    submit_order(page)
    page.wait_for_url(re.compile(SUCCESS))
    expect_paid(page)
    page.get_by_role("button", name="Przejdź do panelu").click()
    expect(heading(page, "Panel główny")).to_be_visible()


def test_przelewy24_redirects_to_its_page_and_back(open_page, product):
    page = open_page(company=create_buyer(product, "p24"))
    page.goto(SUBSCRIPTION)
    choose_method(page, "Przelewy24")
    expect(page.get_by_text("Ta płatność nie odnawia się sama.")).to_be_visible()
    submit_order(page)
    expect(provider_page(page)).to_contain_text("Przelewy24")
    press_provider_button(page, "^Zapłać")
    expect_paid(page)
    page.goto(SUBSCRIPTION)
    expect(plan_fact(page, "Odnowienie")).to_contain_text("Ręczne")


def test_a_transfer_is_applied_when_the_operator_books_it(open_page, product):
    company = create_buyer(product, "przelew")
    page = open_page(company=company)
    page.goto(SUBSCRIPTION)
    choose_method(page, "Przelew tradycyjny")
    submit_order(page)
    expect(heading(page, "Zamówienie czeka na płatność")).to_be_visible()
    expect(plan_fact(page, "Kwota")).to_contain_text("183,27")
    expect(plan_fact(page, "Numer rachunku")).to_contain_text(
        re.compile(r"[A-Z0-9]{4} \d{4} \d{4}")
    )
    title = page.locator("dl > div").filter(has_text="Tytuł przelewu").locator("dd").first
    expect(page.get_by_text("Nieaktywna")).to_be_visible()

    assert book_transfer(product, title.inner_text(), 18327)["ok"]
    product.dev_api.post("/dev/jobs")
    page.reload()
    expect(plan_fact(page, "Status")).to_contain_text("Aktywna")
    expect(plan_fact(page, "Pozostało")).to_contain_text("30 dni")
    expect(page.get_by_text("Zamówienie czeka na płatność")).to_have_count(0)


def test_a_failed_payment_can_be_repeated(open_page, product):
    company = create_buyer(product, "odmowa")
    page = open_page(company=company)
    page.goto(SUBSCRIPTION)
    submit_order(page)
    press_provider_button(page, "^Odrzuć")
    expect(heading(page, "Payment Failed")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("Wystąpił problem podczas przetwarzania płatności")).to_be_visible()
    assert company.client.get("/api/subscription").json()["status"] == "inactive"

    page.get_by_role("link", name="Spróbuj ponownie").click()
    choose_method(page, "Przelewy24")
    submit_order(page)
    press_provider_button(page, "^Zapłać")
    expect_paid(page)


def test_an_abandoned_payment_page_can_be_reopened(open_page, product):
    page = open_page(company=create_buyer(product, "namysl"))
    page.goto(SUBSCRIPTION)
    submit_order(page)
    payment_url = provider_page(page).page.url
    page.goto(SUBSCRIPTION)
    expect(heading(page, "Zamówienie czeka na płatność")).to_be_visible()
    page.get_by_role("button", name="Dokończ płatność").click()
    page.wait_for_url(payment_url)
    press_provider_button(page, "^Zapłać")
    expect_paid(page)


def test_a_subscription_is_cancelled_and_resumed(open_page, product):
    company = create_subscriber(product, "rezygnacja")
    page = open_page(company=company)
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
    expect(plan_fact(page, "Status")).to_contain_text("Aktywna")
    assert company.client.get("/api/subscription").json()["cancelled"] is False


def test_the_limit_is_raised_at_once_and_lowered_for_the_next_period(open_page, product):
    company = create_subscriber(product, "rozwoj", drivers=10)
    page = open_page(company=company)
    page.goto(SUBSCRIPTION)
    page.get_by_role("button", name="Więcej kierowców").click()
    expect(page.get_by_role("radio", name="Wyższy limit od razu")).to_be_checked()
    expect(page.get_by_role("radio", name="Zapisana metoda: Visa •••• 4242")).to_be_checked()
    expect(page.get_by_role("region", name="Podsumowanie")).to_contain_text("61,50")
    page.get_by_role("button", name="Podwyższ limit").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Zapłać 61,50 zł").click()
    expect(plan_fact(page, "Plan")).to_contain_text("do 15 kierowców")

    page.get_by_role("button", name="Mniej kierowców").click()
    expect(page.get_by_text("Teraz nic nie płacisz.")).to_be_visible()
    page.get_by_role("button", name="Obniż limit").click()
    expect(plan_fact(page, "Plan")).to_contain_text("do 10 kierowców")
    assert company.client.get("/api/subscription").json()["driverLimit"] == 15
    page.get_by_role("button", name="Zostaw obecny limit").click()
    expect(toast(page, "Limit zostaje bez zmian")).to_be_visible()
    assert company.client.get("/api/subscription").json()["nextLimit"] is None
