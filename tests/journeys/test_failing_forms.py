"""A form whose call fails keeps what was typed, says why, and sends it again."""

import re
from collections.abc import Callable, Iterator

import pytest
from companies import PASSWORD
from console_page import REASON, find_user
from playwright.sync_api import Locator, Page, Route, expect

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
    ({"status": 503, "headers": {"Retry-After": "5"}, "body": "<h1>503</h1>"}, "[Nn]ie|Spróbuj"),
    (None, r"serwerem|Serwer nie odpowiedział\. Spróbuj"),
)  # fmt: skip

Open = Callable[[Page], Locator]


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


EMAIL, NEW = {"E-mail": "anna@acme.test"}, "Gwizdek7Pociagu"
DRIVER = {"Imię": "Jan", "Nazwisko": "Kowalski", "Numer prawa jazdy": "PO500001"}
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
    "act": (
        "operator", _in_dialog("/admin/check-runs", "Wstrzymaj"), {"Powód": REASON}, "Wstrzymaj",
    ),
    "user": ("operator", _of_user, {"Powód": REASON}, "Zapisz"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_a_form_whose_call_fails_keeps_what_was_typed_and_sends_it_again(open_page, product, name):
    who, open_form, typed, button = FORMS[name]
    people = {
        "company": lambda: product.create_company("zawodna"),
        "operator": product.log_in_operator,
    }
    page = open_page(company=people[who]() if who in people else None)
    sent: list[str] = []
    answers: Iterator[dict | None] = iter([answer for answer, _ in FAILURES])

    def fail(route: Route) -> None:
        if route.request.method == "GET" or route.request.url.endswith("/check-password"):
            return route.fallback()
        sent.append(route.request.url)
        answer = next(answers)
        return route.abort() if answer is None else route.fulfill(**answer)

    form = open_form(page)
    fields = {
        form.get_by_label(re.compile(rf"^{label}(.\*)?$")): value for label, value in typed.items()
    }
    for field, value in fields.items():
        field.fill(value)
    for consent in form.get_by_role("checkbox").all() if name == "registration" else ():
        consent.check()
    page.route("**/api/**", fail)
    for number, (_, said) in enumerate(FAILURES, start=1):
        form.get_by_role("button", name=button, exact=True).click()
        expect(form.get_by_role("alert").filter(has_text=re.compile(said))).to_be_visible()
        assert len(sent) == number
        for field, value in fields.items():
            expect(field).to_have_value(value)
