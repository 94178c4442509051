"""The prices on the landing page and on the order form."""

import json
import re
from pathlib import Path

from accessibility import horizontal_overflow, violations
from payment_steps import SUBSCRIPTION, create_buyer
from playwright.sync_api import Locator, expect

TABLE = Path(__file__).parents[2] / "frontend/src/lib/price-table.json"
PRICES = {row["driverLimit"]: row for row in json.loads(TABLE.read_text(encoding="utf-8"))}
LIMITS = (15, 500)
AMOUNT = re.compile(r"([\d\s]+)(?:,(\d\d))?\szł")


def amounts(price: Locator) -> list[int]:
    """Return the amounts of a price in grosze, from top to bottom."""
    matches = [AMOUNT.search(text) for text in price.get_by_role("definition").all_inner_texts()]
    return [int(re.sub(r"\s", "", m[1])) * 100 + int(m[2] or 0) for m in matches if m]


def test_both_pages_show_the_prices_of_the_price_table(open_page, product):
    html = product.dev_api.get("/").text  # before any script runs
    assert "Cennik: od 149" in html
    assert "183,27" in html
    page = open_page(width=390)
    page.goto("/")
    page.get_by_role("link", name="Potem od 149 zł netto za 30 dni").click()
    prices = page.get_by_role("region", name="Cennik: od 149 zł netto za 30 dni")
    expect(prices).to_be_in_viewport()
    page.keyboard.press("Tab")  # to the number: the button for fewer is disabled at five
    for limit in LIMITS:
        expect(page.get_by_label("Ilu masz kierowców?")).to_be_focused()
        page.keyboard.type(str(limit))
        page.keyboard.press("Enter")
        expect(prices).to_contain_text(f"30 dni, do {limit} kierowców")
        expect(prices.get_by_role("status")).to_contain_text(f"Do {limit} kierowców: ")
        row = PRICES[limit]
        assert amounts(prices) == [row["net"], row["vat"], row["gross"]]
        page.get_by_label("Ilu masz kierowców?").select_text()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    prices.get_by_role("button", name="Więcej kierowców").click()
    expect(page.get_by_label("Ilu masz kierowców?")).to_have_value("10")
    prices.get_by_role("button", name="Mniej kierowców").click()
    expect(page.get_by_label("Ilu masz kierowców?")).to_have_value("5")
    page.get_by_label("Ilu masz kierowców?").select_text()
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(prices.get_by_text("Minimum 5 kierowców")).to_be_visible()
    assert [*violations(page), *horizontal_overflow(page)] == []
    prices.get_by_role("link", name="Wypróbuj 7 dni za darmo").click()
    page.wait_for_url("**/auth/register")

    page = open_page(company=create_buyer(product, "cena"))
    page.goto(SUBSCRIPTION)
    summary = page.get_by_role("region", name="Podsumowanie")
    for limit in LIMITS:
        page.get_by_label("Liczba kierowców").fill(str(limit))
        expect(summary).to_contain_text(f"30 dni, do {limit} kierowców")
        expect(summary).to_contain_text("Dostęp do")  # from the server's quote
        row = PRICES[limit]
        assert amounts(summary) == [row["net"], row["net"], row["vat"], row["gross"]]
