"""The page of each path, by the state of the user."""

from panel_page import heading, open_menu_item, row
from playwright.sync_api import expect

LANDING = "Codzienna kontrola praw jazdy Twoich kierowców"
VERIFY = "Potwierdź adres e-mail"
MISSING = "404 Page Not Found"
TERMS, PRIVACY = "Regulamin", "Polityka Prywatności"

VISITOR = {
    "/": LANDING,
    "/auth/login": "Logowanie",
    "/auth/register": "Rejestracja",
    "/auth/forgot-password": "Odzyskiwanie hasła",
    "/auth/verify-email": VERIFY,
    "/terms": TERMS,
    "/privacy": PRIVACY,
    "/panel": LANDING,
    "/panel/drivers": LANDING,
    "/panel/account": LANDING,
    "/no/such/path": LANDING,
    "/admin": "Logowanie",
    "/admin/users": "Logowanie",
}
UNVERIFIED = (
    "/", "/panel", "/panel/drivers", "/auth/login", "/auth/register", "/terms", "/privacy",
    "/admin", "/no/such/path",
)  # fmt: skip
VERIFIED = {
    "/": "Panel główny",
    "/panel": "Panel główny",
    "/panel/drivers": "Panel zarządzania kierowcami",
    "/panel/subscription": "Subskrypcja",
    "/panel/subscription/success": "Płatność zakończona sukcesem",
    "/panel/notifications": "Powiadomienia",
    "/panel/account": "Konto",
    "/terms": TERMS,
    "/privacy": PRIVACY,
    "/panel/no-such-screen": MISSING,
    "/auth/login": MISSING,
    "/auth/register": MISSING,
    "/auth/verify-email": MISSING,
    "/admin": MISSING,
    "/no/such/path": MISSING,
}


def test_a_visitor_sees_the_public_pages_and_the_landing_page_elsewhere(page, product):
    for path, title in VISITOR.items():
        page.goto(path)
        expect(page.locator("h1")).to_have_text(title)
    page.goto("/admin")
    expect(page).to_have_url(f"{product.url}/auth/login?next=%2Fadmin")


def test_an_unverified_user_sees_the_verification_on_every_path(open_page, product):
    page = open_page(company=product.register_company("niepotwierdzony"))
    for path in UNVERIFIED:
        page.goto(path)
        expect(page.locator("h1")).to_have_text(VERIFY)
    page.get_by_role("button", name="Wróć do logowania").click()
    expect(heading(page, "Logowanie")).to_be_visible()
    page.goto("/panel")
    expect(page.locator("h1")).to_have_text(LANDING)


def test_a_verified_user_sees_the_panel_and_a_404_elsewhere(open_page, product):
    page = open_page(company=product.create_verified_company("nowy"))
    for path, title in VERIFIED.items():
        page.goto(path)
        expect(page.locator("h1")).to_have_text(title)
    page.goto("/admin")
    expect(page).to_have_url(f"{product.url}/auth/login")


def test_an_unknown_address_has_status_404_and_says_so_above_the_landing_page(open_page):
    page = open_page()
    sentence = page.get_by_role("status").get_by_text(MISSING)
    for path, status in (
        ("/no/such/page", 404),
        ("/auth/logins", 404),
        ("/", 200),
        ("/panel", 200),
    ):
        assert page.goto(path).status == status
        expect(page.locator("h1")).to_have_text(LANDING)
        expect(sentence).to_have_count(1 if status == 404 else 0)


def test_a_user_accepts_changed_documents_before_anything_else(open_page, product):
    page = open_page(company=product.create_verified_company("zmieniony"))
    asked = {"pendingDocuments": [{"document": "terms", "version": "2027-03-01"}]}
    page.route(
        "**/api/user",
        lambda route: route.fulfill(json={**route.fetch().json(), **asked}),
    )
    for path in ("/", "/panel", "/panel/account", "/auth/login", "/no/such/path"):
        page.goto(path)
        expect(page.locator("h1")).to_have_text("Zmieniliśmy dokumenty")
    for path, title in (("/terms", TERMS), ("/privacy", PRIVACY)):
        page.goto(path)
        expect(page.locator("h1")).to_have_text(title)
    page.goto("/panel/account")
    with page.expect_popup() as terms:
        page.get_by_role("link", name="Regulamin").click()
    expect(terms.value.locator("h1")).to_have_text(TERMS)
    page.get_by_role("button", name="Akceptuję").click()
    expect(page.get_by_role("alert")).to_contain_text("Dokumenty zmieniły się")


def test_the_terms_name_the_operator_mark_gaps_and_link_the_agreement(page):
    page.goto("/terms")
    operator = page.locator("#s1-2")
    expect(operator).to_contain_text("Prawko Demo sp. z o.o.")
    expect(operator).to_contain_text("kontakt@prawko.test")
    marked = [
        "[uzupełnij: sąd rejestrowy]",
        "[uzupełnij: numer KRS]",
        "[uzupełnij: kapitał zakładowy]",
    ]
    expect(operator.locator("mark")).to_have_text(marked)
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("Terms of Service")
    expect(operator.locator("mark").first).to_have_text("[to be added: registry court]")
    agreement = page.get_by_role("link", name="Data Processing Agreement").first
    answer = page.request.get(agreement.get_attribute("href"))
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.body().startswith(b"%PDF-")


def test_the_menu_leads_everywhere_and_names_each_screen(open_page, product):
    page = open_page(company=product.create_verified_company("nowy"))
    page.goto("/panel")
    menu = page.get_by_role("navigation", name="Menu panelu")
    for link_name, path in (
        ("Kierowcy", "/panel/drivers"), ("Powiadomienia", "/panel/notifications"),
        ("Subskrypcja", "/panel/subscription"), ("Konto", "/panel/account"),
        ("Panel główny", "/panel"),
    ):  # fmt: skip
        menu.get_by_role("link", name=link_name).click()
        expect(page).to_have_url(f"{product.url}{path}")
        expect(menu.get_by_role("link", name=link_name)).to_have_attribute("aria-current", "page")
        expect(page.locator("h1")).to_be_focused()
        leave = page.get_by_role("complementary").get_by_role("button", name="Wyloguj się")
        expect(leave).to_be_in_viewport()
        assert page.title().startswith(page.locator("h1").inner_text())


def test_a_session_that_ends_leads_to_the_login_which_says_so(open_page, product):
    company = product.create_company("sesja")
    company.add_driver("Jan", "Nowak", "SE400001")
    page = open_page(company=company)
    page.goto("/panel/drivers")
    open_menu_item(row(page, "Nowak"), "Usuń")
    company.post("/api/logout")
    page.get_by_role("button", name="Usuń kierowcę").click()
    expect(heading(page, "Logowanie")).to_be_visible()
    expect(page.get_by_text("Twoja sesja wygasła. Zaloguj się ponownie.")).to_be_visible()


def test_a_wrong_code_is_refused_and_another_one_can_be_sent(open_page, product):
    company = product.register_company("kod")
    first = product.wait_for_code(company.email)
    page = open_page(company=company)
    page.goto("/panel")
    page.get_by_label("Kod weryfikacyjny").fill("zzzzzz")
    page.get_by_role("button", name="Potwierdź adres").click()
    alert = page.get_by_role("form").get_by_role("alert")
    expect(alert).to_contain_text("Nieprawidłowy lub nieaktualny kod weryfikacyjny")
    page.get_by_role("button", name="Wyślij kod ponownie").click()
    expect(page.get_by_text("Wysłaliśmy nowy kod")).to_be_visible()
    page.get_by_label("Kod weryfikacyjny").fill(product.wait_for_code(company.email, after=first))
    page.get_by_role("button", name="Potwierdź adres").click()
    page.get_by_role("button", name="Przejdź do panelu").click()
    expect(heading(page, "Panel główny")).to_be_visible()
