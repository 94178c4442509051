"""The landing page, as a visitor, a search engine and a visitor without scripts see it."""

import json
import re

import pytest
from accessibility import horizontal_overflow, violations
from panel_page import heading
from playwright.sync_api import Page, expect

SECTIONS = {
    "Funkcje": "features", "Cennik": "pricing", "Opinie": "testimonials", "FAQ": "faq",
    "Kontakt": "contact",
}  # fmt: skip
TITLES = {
    "pl": "Codzienna kontrola praw jazdy Twoich kierowców",
    "en": "A daily check of your drivers' licences",
}
CONFIRMATION = "Wiadomość została wysłana pomyślnie. Skontaktujemy się jak najszybciej."
FOCUS_IS_ELSEWHERE = """(dialog) =>
  document.activeElement !== document.body && !dialog.contains(document.activeElement)"""


def attribute(html: str, pattern: str) -> str:
    match = re.search(pattern, html)
    assert match, pattern
    return match[1]


@pytest.mark.parametrize(("path", "language"), [("/", "pl"), ("/en", "en")])
def test_the_html_tells_search_engines_the_language_the_addresses_and_the_answers(
    product, path, language
):
    html = product.dev_api.get(path).text

    assert attribute(html, r'<html lang="(\w+)"') == language
    assert attribute(html, r'rel="canonical" href="([^"]+)"') == product.url + path
    alternates = dict(re.findall(r'rel="alternate" hrefLang="([\w-]+)" href="([^"]+)"', html))
    assert alternates == {
        "pl": f"{product.url}/", "en": f"{product.url}/en", "x-default": f"{product.url}/",
    }  # fmt: skip
    picture = attribute(html, r'property="og:image" content="([^"]+)"')
    assert product.dev_api.get(picture).headers["content-type"] == "image/png"
    graph = json.loads(attribute(html, r'<script type="application/ld\+json">(.+?)</script>'))
    organization, offer, faq = graph["@graph"]
    assert organization["url"] == f"{product.url}/"
    assert offer["offers"]["price"] == "149.00"
    assert len(faq["mainEntity"]) == 10
    assert html.count("<details") == 10
    assert "CEPiK" in html
    robots = product.dev_api.get("/robots.txt").text
    assert f"{product.url}{path}</loc>" in product.dev_api.get(robots.split()[-1]).text


def test_every_section_is_reached_from_the_header_here_and_from_a_legal_page(page, product):
    page.goto("/")
    header = page.get_by_role("banner")
    for name, section in SECTIONS.items():
        header.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(f"{product.url}/#{section}")
        expect(page.locator(f"#{section}").get_by_role("heading").first).to_be_in_viewport()
        expect(header).to_be_in_viewport(ratio=1)
    for name, path in (("Zaloguj się", "/auth/login"), ("Zarejestruj się", "/auth/register")):
        expect(header.get_by_role("link", name=name)).to_have_attribute("href", path)
    page.goto("/terms")
    header.get_by_role("link", name="FAQ").click()
    expect(page).to_have_url(f"{product.url}/#faq")
    expect(heading(page, "Częste pytania")).to_be_in_viewport()
    page.get_by_text("O której godzinie sprawdzacie uprawnienia?").click()
    expect(page.get_by_text("Codziennie o 6:10")).to_be_visible()
    page.get_by_role("button", name="Czytaj więcej").click()
    expect(page.get_by_text("Prawo jazdy traci też ważność")).to_be_visible()


@pytest.mark.parametrize("start", ["/", "/privacy"])
def test_the_slide_out_menu_of_a_phone_keeps_the_focus_and_leads_to_a_section(open_page, start):
    page = open_page(width=390)
    page.goto(start)
    button = page.get_by_role("button", name="Otwórz menu")
    button.click()
    menu = page.get_by_role("dialog", name="Menu")
    expect(menu.locator(":focus")).to_have_count(1)
    for _ in range(10):
        page.keyboard.press("Tab")
        assert not menu.evaluate(FOCUS_IS_ELSEWHERE)
    assert [*violations(page), *horizontal_overflow(page)] == []
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    menu.get_by_role("link", name="Cennik").click()
    expect(menu).to_be_hidden()
    expect(page).to_have_url(re.compile(r"/#pricing$"))
    expect(page.get_by_label("Ilu masz kierowców?")).to_be_in_viewport()


def fill_contact_form(page: Page, company: str) -> None:
    page.get_by_label("Imię i nazwisko").fill("Żaneta Łącka")
    page.get_by_label("E-mail").fill("zaneta@acme.test")
    page.get_by_label("Firma").fill(company)
    page.get_by_label("Liczba kierowców").fill("120")
    page.get_by_label("Wiadomość").fill("Czy jest zniżka\ndla dużej floty?")


def test_a_visitors_message_reaches_the_operators(page, product):
    page.goto("/#contact")
    send = page.get_by_role("button", name="Wyślij wiadomość")
    fill_contact_form(page, "   ")
    expect(send).to_be_disabled()
    page.get_by_role("checkbox").check()
    send.click()
    expect(page.get_by_label("Firma")).to_be_focused()  # the server's message is about this field
    alert = page.get_by_role("form").get_by_role("alert")
    expect(alert).to_contain_text("Błąd")
    expect(page.get_by_label("Wiadomość")).to_have_value("Czy jest zniżka\ndla dużej floty?")
    assert violations(page) == []

    page.get_by_label("Firma").fill("Łącka Trans")
    send.click()
    expect(page.get_by_text(CONFIRMATION)).to_be_visible()
    expect(page.get_by_role("form")).to_have_count(0)
    expect(heading(page, TITLES["pl"])).to_be_in_viewport()
    assert violations(page) == []
    mail = product.wait_for_mail("operator@prawko.test", "Żaneta Łącka")
    assert "Czy jest zniżka" in mail["text"]
    assert "zaneta@acme.test" in mail["text"]


def test_each_language_has_its_page_and_the_switch_leads_to_the_other(page, product):
    page.goto("/en")
    expect(heading(page, TITLES["en"])).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="Polski").click()
    expect(page).to_have_url(f"{product.url}/")
    expect(heading(page, TITLES["pl"])).to_be_visible()
    page.get_by_role("link", name="English").click()
    expect(page).to_have_url(f"{product.url}/en")
    page.goto("/")  # the stored choice applies
    expect(heading(page, TITLES["en"])).to_be_visible()
    page.goto("/terms")
    header = page.get_by_role("banner")
    expect(header.get_by_role("link", name="Pricing")).to_have_attribute("href", "/en#pricing")


def test_a_visitor_loads_one_language_and_nothing_of_the_panel(page, product):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.removeprefix(product.url)))
    page.goto("/", wait_until="networkidle")
    names = " ".join(requests)
    assert "polish-texts" in names
    assert not re.search(r"english|router|panel|query|/api/", names)


def test_the_panel_is_seen_live_over_sample_data_and_no_request_is_sent(page, product):
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.removeprefix(product.url)))
    page.goto("/")
    page.get_by_role("link", name="Zobacz na żywo").click()
    expect(heading(page, "Panel główny")).to_be_visible()
    alarm = page.get_by_role("region", name="WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI")
    expect(alarm).to_contain_text("Marek Zawada")
    expect(alarm).to_contain_text("06:10")
    sample = page.get_by_role("region", name="Dane przykładowe.")
    expect(sample).to_contain_text("nie może jechać: Marek Zawada, KW204518")
    alarm.get_by_role("button", name="Odsunięty od jazdy").click()
    alarm.get_by_role("textbox", name="Notatka").press("Enter")
    expect(alarm).to_contain_text(re.compile("dyspozytor@spedycja.example.* 06:1[23]"))
    assert violations(page) == []

    page.get_by_role("navigation").get_by_role("link", name="Kierowcy").click()
    expect(heading(page, "Panel zarządzania kierowcami")).to_be_visible()
    page.get_by_role("link", name="Zawada").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("Zatrzymany")
    # No entry leads to a page that the sample lacks.
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_count(2)
    expect(page.get_by_role("button", name="Wyloguj się")).to_have_count(0)
    expect(sample.get_by_role("link", name="Załóż konto")).to_have_attribute(
        "href", "/auth/register"
    )
    assert not [path for path in requests if path.startswith("/api/")]
    assert '<meta name="robots" content="noindex"' in product.dev_api.get("/demo").text
    assert "Disallow: /demo" in product.dev_api.get("/robots.txt").text


@pytest.mark.parametrize("path", ["/", "/en"])
def test_the_smallest_phone_needs_no_sideways_scrolling(open_page, path):
    page = open_page(width=320, language="en-GB" if path == "/en" else "pl-PL")
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    page.locator("section").get_by_role("button", expanded=False).click()
    assert [*violations(page), *horizontal_overflow(page)] == []


def test_a_user_is_shown_the_way_to_the_panel_on_a_legal_page(open_page, product):
    page = open_page(company=product.create_verified_company("regulamin"))
    page.goto("/terms")
    page.get_by_role("banner").get_by_role("link", name="Przejdź do panelu").click()
    expect(heading(page, "Panel główny")).to_be_visible()
    page.goto("/en")
    expect(heading(page, "Panel główny")).to_be_visible()
