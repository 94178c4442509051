"""Journeys of the operators' console: react-admin against the API."""

import re
from itertools import pairwise

import pytest
from companies import OPERATOR_LOGIN
from console_page import (
    REASON,
    confirm_act,
    expect_range,
    expect_toast,
    find_user,
    fleet_with_history,
    open_edit_form,
    open_users,
    press_action,
    user_row,
)
from panel_page import heading
from playwright.sync_api import expect


@pytest.fixture
def page(open_page, product):
    """A page of the signed-in operator."""
    return open_page(company=product.log_in_operator())


def test_the_dashboard_has_three_figures_and_the_users(page):
    page.goto("/admin/")
    expect(heading(page, "Pulpit")).to_be_visible()
    for title in ("Użytkownicy", "Aktywne subskrypcje", "Działania dzisiaj"):
        expect(heading(page, title)).to_be_visible()
    for column in ("E-mail", "Data rejestracji", "Status", "Limit kierowców", "Akcje"):
        expect(page.get_by_role("columnheader", name=column)).to_be_visible()


def test_the_days_below_a_chart_are_evenly_spaced_and_apart(page):
    page.goto("/admin/charts")
    chart = page.get_by_role("img", name="Rejestracje")
    days = chart.locator(".MuiChartsAxis-directionX text")
    expect(days.first).to_be_visible()
    boxes = [day.bounding_box() for day in days.all()]
    centres = [box["x"] + box["width"] / 2 for box in boxes]
    steps = [after - before for before, after in pairwise(centres)]
    assert len(steps) > 3
    assert max(steps) - min(steps) < 2
    assert all(step > box["width"] + 4 for step, box in zip(steps, boxes, strict=False))


def test_users_are_found_whatever_the_case(page, product):
    company = product.create_company("szukany")
    open_users(page)
    row = find_user(page, company.email.upper())
    expect(row).to_contain_text("Aktywna")


def test_users_are_sorted_and_paged(page, product):
    for _ in range(11):
        product.register_company("strona")
    open_users(page)
    expect_range(page, "1", "10")
    page.get_by_role("button", name="E-mail").click()
    expect(page.get_by_role("columnheader", name="E-mail")).to_have_attribute(
        "aria-sort", "ascending"
    )
    emails = page.locator("td.column-email")
    expect(emails).to_have_count(10)
    first = emails.first.inner_text()
    page.get_by_role("button", name="Następna strona").click()
    expect_range(page, "11")
    expect(emails.filter(has_text=first)).to_have_count(0)
    page.get_by_role("combobox", name="Wierszy na stronę").click()
    page.get_by_role("option", name="25").click()
    expect_range(page, "1", "(1[1-9]|2[0-5])")
    expect(emails.nth(10)).to_be_visible()


def test_a_subscription_is_edited(page, product):
    company = product.create_company("edycja")
    open_users(page)
    open_edit_form(page, company.email)
    page.get_by_label("Limit kierowców").fill("40")
    page.get_by_label("Koniec subskrypcji").fill("2030-05-31")
    page.get_by_label("Powód").fill(REASON)
    page.get_by_role("button", name="Zapisz").click()
    expect_toast(page, "Sukces", "Użytkownik został zaktualizowany")
    expect(find_user(page, company.email)).to_contain_text("40")
    open_edit_form(page, company.email)
    expect(page.get_by_label("Koniec subskrypcji")).to_have_value("2030-05-31")


def test_a_cancelled_subscription_closes_access(page, product):
    company = product.create_company("anulowana")
    open_users(page)
    open_edit_form(page, company.email)
    page.get_by_label("Status").click()
    page.get_by_role("option", name="Anulowana").click()
    page.get_by_label("Powód").fill(REASON)
    page.get_by_role("button", name="Zapisz").click()
    expect_toast(page, "Sukces", "Użytkownik został zaktualizowany")
    expect(find_user(page, company.email)).to_contain_text("Nieaktywna")
    press_action(user_row(page, company.email), "Historia")
    page.get_by_role("tab", name="Subskrypcje").click()
    badge = page.get_by_role("dialog").locator("[data-tone=withheld]").first
    expect(badge).to_have_text("Anulowana")


def test_a_user_is_deleted_after_a_warning(page, product):
    company = product.create_company("usuwany")
    open_users(page)
    press_action(find_user(page, company.email), "Usuń")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Tej operacji nie można cofnąć.")
    confirm_act(page, "Usuń użytkownika")
    expect_toast(page, "Sukces", "Użytkownik został usunięty")
    expect(page.get_by_text("Nic nie pasuje do tych filtrów.")).to_be_visible()


def test_an_act_needs_a_reason(page, product):
    company = product.create_company("powod")
    open_users(page)
    press_action(find_user(page, company.email), "Usuń")
    page.get_by_role("dialog").get_by_role("button", name="Usuń użytkownika").click()
    expect(page.get_by_text("Pole wymagane")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Anuluj").click()
    expect(user_row(page, company.email)).to_be_visible()


def test_several_users_are_deleted_at_once(page, product):
    for _ in range(3):
        product.register_company("hurtowo")
    open_users(page)
    page.get_by_label("Szukaj po adresie e-mail").fill("hurtowo")
    expect_range(page, "1", "3", "3")
    page.get_by_role("checkbox", name="Zaznacz wszystko").check()
    expect(page.get_by_text("Zaznaczono 3")).to_be_visible()
    page.get_by_role("button", name="Usuń", exact=True).click()
    confirm_act(page, "Usuń")
    expect_toast(page, "Sukces", "Usunięto 3 użytkowników")
    expect(page.get_by_text("Nic nie pasuje do tych filtrów.")).to_be_visible()


def test_the_operator_cannot_delete_itself(page):
    open_users(page)
    press_action(find_user(page, "operator@prawko.test"), "Usuń")
    confirm_act(page, "Usuń użytkownika")
    alert = page.get_by_role("dialog").get_by_role("alert")
    expect(alert).to_be_visible()
    expect_toast(page, "Błąd", alert.inner_text())


def test_the_history_has_three_tabs(page, product):
    company = fleet_with_history(product)
    open_users(page)
    press_action(find_user(page, company.email), "Historia")
    dialog = page.get_by_role("dialog")

    expect(dialog.get_by_role("cell", name="Dodano kierowcę")).to_have_count(2)
    dialog.get_by_label("Rodzaj aktywności").click()
    page.get_by_role("option", name="Rejestracja").click()
    expect(dialog.get_by_role("cell", name="Rejestracja")).to_have_count(1)
    expect(dialog.get_by_role("cell", name="Dodano kierowcę")).to_have_count(0)

    dialog.get_by_role("tab", name="Subskrypcje").click()
    expect(dialog.get_by_role("row")).to_have_count(2)

    dialog.get_by_role("tab", name="Weryfikacje").click()
    withheld = dialog.get_by_role("row").filter(has_text="Zatrzymana").first
    expect(withheld.locator("[data-tone=withheld]")).to_have_text(["nie", "Zatrzymane"])
    withheld.get_by_role("button", name="Pokaż odpowiedź").click()
    expect(withheld.locator("pre")).to_contain_text("dokumentPotwierdzajacyUprawnienia")


def test_an_operator_works_as_a_customer_and_returns(page, product):
    company = product.create_company("pomoc")
    company.add_driver("Jan", "Kowalski", "PO500001")
    open_users(page)
    press_action(find_user(page, company.email), "Zaloguj jako")
    confirm_act(page, "Zaloguj jako użytkownik")
    expect_toast(page, "Sukces", "Zalogowano jako użytkownik")
    page.wait_for_url("**/panel")
    expect(heading(page, "Panel główny")).to_be_visible()
    banner = page.get_by_role("region", name="Praca na koncie klienta")
    expect(banner).to_contain_text(company.email)
    assert page.request.get("/api/admin/users").status == 403

    banner.get_by_role("button", name="Wróć do konsoli").click()
    expect(heading(page, "Pulpit")).to_be_visible()


def test_an_operator_works_as_a_customer_from_the_first_page_in_every_tab(page, product):
    company = product.create_company("pierwsza")
    tab = page.context.new_page()
    tab.goto("/admin/")
    page.goto("/admin/")
    press_action(find_user(page, company.email), "Zaloguj jako")
    confirm_act(page, "Zaloguj jako użytkownik")
    for one in (page, tab):  # the console's other requests are refused meanwhile
        one.wait_for_url("**/panel")
        expect(heading(one, "Panel główny")).to_be_visible()
    tab.close()


def test_the_list_is_as_it_was_after_the_way_back_and_a_reload(page, product):
    emails = [product.register_company(f"powrot{letter}").email for letter in "ab"]
    open_users(page)
    page.get_by_label("Szukaj po adresie e-mail").fill("powrot")
    expect_range(page, "1", "2", "2")
    page.get_by_role("button", name="E-mail").click()
    first = page.locator("td.column-email").first
    expect(first).to_contain_text(emails[0])
    user_row(page, emails[1]).get_by_role("link", name="Edytuj").click()
    page.get_by_label("Powód").wait_for()
    page.go_back()
    expect_range(page, "1", "2", "2")
    expect(first).to_contain_text(emails[0])
    page.reload()
    expect_range(page, "1", "2", "2")
    expect(page.get_by_label("Szukaj po adresie e-mail")).to_have_value("powrot")


def test_a_link_into_the_console_survives_the_login(open_page):
    page = open_page()
    page.goto("/admin/companies?sort=name&order=ASC")
    expect(page).to_have_url(re.compile("/auth/login"))
    email, password = OPERATOR_LOGIN
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Hasło", exact=True).fill(password)
    page.get_by_role("button", name="Zaloguj się").click()
    expect(heading(page, "Firmy")).to_be_visible()
    assert "sort=name" in page.url


def test_a_session_that_ends_keeps_the_open_dialog(page, product):
    company = product.create_company("sesja")
    open_users(page)
    press_action(find_user(page, company.email), "Usuń")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Powód").fill(REASON)
    page.context.clear_cookies()
    confirm = dialog.get_by_role("button", name="Usuń użytkownika")
    confirm.click()
    expect(dialog.get_by_role("alert")).to_contain_text("Sesja operatora wygasła.")
    expect(page.locator(".MuiSnackbar-root")).not_to_contain_text("Sukces")
    expect(dialog.get_by_label("Powód")).to_have_value(REASON)

    product.log_in_operator().sign_in_browser(page.context)  # as in another tab
    confirm.click()
    expect_toast(page, "Sukces", "Użytkownik został usunięty")
    expect(page.get_by_text("Nic nie pasuje do tych filtrów.")).to_be_visible()


def test_a_server_that_does_not_answer_is_said_and_asked_again(page):
    open_users(page)
    page.route("**/api/admin/users?**", lambda route: route.abort())
    page.get_by_label("Szukaj po adresie e-mail").fill("nikt")
    alert = page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text("Serwer nie odpowiedział.")
    page.unroute("**/api/admin/users?**")
    alert.get_by_role("button", name="Spróbuj ponownie").click()
    expect(page.get_by_text("Nic nie pasuje do tych filtrów.")).to_be_visible()


def test_only_operators_reach_the_console(open_page, product):
    visitor = open_page()
    visitor.goto("/admin/users")
    expect(visitor).to_have_url(re.compile("/auth/login"))
    customer = open_page(company=product.log_in_demo_company())
    customer.goto("/admin/users")
    expect(customer).not_to_have_url(re.compile("/admin"))


def test_the_language_is_the_panels_and_can_be_changed(page):
    page.goto("/admin/users")
    page.get_by_role("button", name="EN English").click()
    expect(heading(page, "Users")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Registered")).to_be_visible()
    page.reload()
    expect(heading(page, "Users")).to_be_visible()


def test_the_operator_signs_out(page):
    page.goto("/admin/users")
    page.get_by_role("button", name="Twoje konto").click()
    page.get_by_role("menuitem", name="Wyloguj się").click()
    expect(page).to_have_url(re.compile("/auth/login"))
    assert page.request.get("/api/admin/stats").status == 401
