"""A form whose call fails keeps what was typed, says why, and sends it anew, once for 2 clicks."""

import re
from collections.abc import Callable

import pytest
from companies import PASSWORD, CompanyClient, fresh_tax_id
from console_page import REASON, find_user, press_action
from payment_steps import SUBSCRIPTION, create_buyer
from playwright.sync_api import Locator, Page, Route, expect
from test_console_operations import statement_of
from test_driver_page import withhold_driver

# Two forms name what failed, and no more, as the specification says.
ERROR_OF_ACT = "[Bb]łąd podczas (wysyłania|tworzenia)"
OWN_TEXT = f"[Nn]ie udało|Spróbuj|{ERROR_OF_ACT}"
# What answers (None: the connection breaks off), and what the form says, where the form has no
# text of its own for that.
FAILURES = (
    ({"status": 403, "json": {"error": "other", "message": "Nie wolno."}}, "Nie wolno"),
    (
        {
            "status": 429, "headers": {"Retry-After": "90"},
            "json": {"error": "too_many_requests", "message": "Za często."},
        },
        "Za często",
    ),
    ({"status": 503, "headers": {"Retry-After": "5"}, "body": "<h1>503</h1>"}, OWN_TEXT),
    (None, rf"serwerem|Serwer nie odpowiedział\. Spróbuj|{ERROR_OF_ACT}"),
)  # fmt: skip

Open = Callable[[Page], Locator]
WITH_CONSENT = ("registration", "contact", "erasure")
SLOW_MILLISECONDS = 500


def _on(path: str) -> Open:
    def open_form(page: Page) -> Locator:
        page.goto(path)
        return page.get_by_role("main")

    return open_form


def _in_dialog(path: str, *buttons: str) -> Open:
    def open_form(page: Page) -> Locator:
        page.goto(path)
        for name in buttons:
            one = page.get_by_role("button", name=name).or_(page.get_by_role("tab", name=name))
            one.first.click()
        return page.get_by_role("dialog")

    return open_form


def _of_user(page: Page) -> Locator:
    page.goto("/admin/users")
    find_user(page, "firma@prawko.test").get_by_role("link", name="Edytuj").click()
    return page.get_by_role("main")


def _statement(page: Page) -> Locator:
    page.goto("/admin/statements")
    page.locator("input[type=file]").set_input_files(statement_of(("50,17", "za paliwo")))
    page.get_by_role("row").filter(has_text="za paliwo").get_by_role("checkbox").check()
    page.get_by_role("button", name="Zaksięguj 1 pozycję").click()
    return page.get_by_role("dialog")


def _ticket(page: Page) -> Locator:
    page.goto("/admin/tickets")
    press_action(page.get_by_role("row").filter(has_text=TICKET["subject"]).first, "Odpowiedz")
    return page.get_by_role("dialog")


def _authenticator(page: Page) -> Locator:
    dialog = _in_dialog("/panel/account", "Włącz weryfikację")(page)
    dialog.get_by_label("Obecne hasło").fill(PASSWORD)
    dialog.get_by_role("button", name="Dalej").click()
    return dialog


def _note(page: Page) -> Locator:
    page.goto("/panel")
    page.get_by_role("button", name="Odsunięty od jazdy: Ewa Wójcik").click()
    return page.get_by_role("form", name="Odsunięty od jazdy: Ewa Wójcik")


def _asked_operator(product) -> CompanyClient:
    asking = product.create_company("pytajaca")
    user = {"email": asking.email, "companyName": "Pytająca"}
    asking.post("/api/help/ticket", **TICKET, userInfo=user)
    return product.log_in_operator()


TICKET = {"subject": "Zawodna odpowiedź", "message": "Nie widzę kierowcy."}
PEOPLE: dict[str, Callable] = {
    "visitor": lambda _: None,
    "company": lambda product: product.create_company("zawodna"),
    "new company": lambda product: product.create_verified_company("nowa"),
    "buyer": lambda product: create_buyer(product, "kupuje"),
    "alarmed company": lambda product: withhold_driver(product)[0],
    "operator": lambda product: product.log_in_operator(),
    "asked operator": _asked_operator,
}
EMAIL, NEW = {"E-mail": "anna@acme.test"}, "Gwizdek7Pociagu"
DRIVER = {"Imię": "Jan", "Nazwisko": "Kowalski", "Numer prawa jazdy": "PO500001"}
CONTACT = {
    "Imię i nazwisko": "Żaneta Łącka", "E-mail": "zaneta@acme.test", "Firma": "Łącka Trans",
    "Liczba kierowców": "120", "Wiadomość": "Czy jest zniżka?",
}  # fmt: skip
NIGHT = {"Imię albo nazwa": "Nocna zmiana", "Adres e-mail": "noc@acme.test"}
PASSWORDS = {"Obecne hasło": PASSWORD, "Nowe hasło": NEW, "Powtórz nowe hasło": NEW}
# Who opens a form and how, what is typed, and the button.
FORMS: dict[str, tuple[str, Open, dict[str, str], str]] = {
    "login": ("visitor", _on("/auth/login"), EMAIL | {"Hasło": NEW}, "Zaloguj się"),
    "registration": (
        "visitor", _on("/auth/register"), EMAIL | {"Hasło": NEW, "Powtórz hasło": NEW},
        "Załóż konto",
    ),
    "forgotten password": ("visitor", _on("/auth/forgot-password"), EMAIL, "Wyślij link"),
    "driver": ("company", _in_dialog("/panel/drivers", "Dodaj kierowcę"), DRIVER, "Zapisz"),
    "ticket": (
        "company", _in_dialog("/panel", "Pomoc", "Kontakt"),
        {"Temat": "Faktura", "Wiadomość": "Proszę o fakturę."}, "Wyślij wiadomość",
    ),
    "password": ("company", _on("/panel/account"), PASSWORDS, "Zmień hasło"),
    "recipient": (
        "company", _in_dialog("/panel/notifications", "Dodaj osobę bez konta"), NIGHT,
        "Wyślij zaproszenie",
    ),
    "contact": ("visitor", _on("/#contact"), CONTACT, "Wyślij wiadomość"),
    "trial": (
        "new company", _on(SUBSCRIPTION), {"NIP firmy": fresh_tax_id()}, "Rozpocznij okres próbny",
    ),
    "order": ("buyer", _on(SUBSCRIPTION), {"Liczba kierowców": "10"}, "Zamów subskrypcję"),
    "note": ("alarmed company", _note, {"Notatka": "Telefonicznie"}, "Zapisz"),
    "second factor": (
        "company", _in_dialog("/panel/account", "Włącz weryfikację"), {"Obecne hasło": PASSWORD},
        "Dalej",
    ),
    "authenticator": (
        "company", _authenticator, {"Kod z aplikacji": "123456"}, "Włącz weryfikację",
    ),
    "erasure": (
        "company", _in_dialog("/panel/account", "Usuń konto firmy"), {"Obecne hasło": PASSWORD},
        "Usuń konto firmy na zawsze",
    ),
    "ticket answer": (
        "asked operator", _ticket, {"Odpowiedź": "Jest już na liście."}, "Wyślij odpowiedź",
    ),
    "statement": ("operator", _statement, {"Powód": REASON}, "Zaksięguj"),
    "act": (
        "operator", _in_dialog("/admin/check-runs", "Wstrzymaj"), {"Powód": REASON}, "Wstrzymaj",
    ),
    "user": ("operator", _of_user, {"Powód": REASON}, "Zapisz"),
}  # fmt: skip


def _fill(page: Page, name: str) -> tuple[Locator, dict[Locator, str]]:
    """Open a form and fill it in; return it, and what its fields hold."""
    _, open_form, typed, _ = FORMS[name]
    form = open_form(page)
    fields = {
        form.get_by_label(re.compile(rf"^{label}(.\*)?$".replace(" ", r"\s"))): value
        for label, value in typed.items()
    }
    for field, value in fields.items():
        field.fill(value)
    if name in WITH_CONSENT:
        for consent in form.get_by_role("checkbox").all():
            consent.check()
    return form, fields


@pytest.mark.parametrize("name", FORMS)
def test_a_form_without_a_network_says_so_at_once_and_is_not_sent_later(open_page, product, name):
    who, _, _, button = FORMS[name]
    page = open_page(company=PEOPLE[who](product))
    form, fields = _fill(page, name)
    changes: list[str] = []
    said = ERROR_OF_ACT if name == "contact" else "Nie masz połączenia"
    page.context.set_offline(True)
    try:
        form.get_by_role("button", name=re.compile(f"^{button}")).last.click()
        expect(form.get_by_role("alert").filter(has_text=re.compile(said)).last).to_be_visible()
        page.on("request", lambda one: one.method == "GET" or changes.append(one.url))
    finally:
        page.context.set_offline(False)
    page.wait_for_timeout(SLOW_MILLISECONDS)
    assert [url for url in changes if not url.endswith("/check-password")] == []
    for field, value in fields.items():
        expect(field).to_have_value(value)


@pytest.mark.parametrize("name", FORMS)
def test_a_form_whose_call_fails_keeps_what_was_typed_and_sends_it_again(open_page, product, name):
    who, _, _, button = FORMS[name]
    page = open_page(company=PEOPLE[who](product))
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "GET" or route.request.url.endswith("/check-password"):
            route.fallback()
        else:
            held.append(route)

    form, fields = _fill(page, name)
    page.route("**/api/**", hold)
    for sent, (answer, said) in enumerate(FAILURES, start=1):
        form.get_by_role("button", name=re.compile(f"^{button}")).last.dblclick()
        page.wait_for_timeout(SLOW_MILLISECONDS)
        assert len(held) == sent  # one for both clicks, however long the answer takes
        route = held[-1]
        if answer is None:
            route.abort()
        else:
            route.fulfill(**answer)
        expect(form.get_by_role("alert").filter(has_text=re.compile(said)).last).to_be_visible()
        expect(page.get_by_role("alertdialog")).to_have_count(0)
        for field, value in fields.items():
            expect(field).to_have_value(value)
