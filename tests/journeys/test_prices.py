"""The price of a plan, as a visitor reads it first, and then as a customer."""

import json
import re
from pathlib import Path

from accessibility import cut_off, violations
from playwright.sync_api import Locator, expect
from tills import SUBSCRIPTION, buyer

TABLE = Path(__file__).parents[2] / "frontend/src/shared/price-table.json"
PRICES = {row["driverLimit"]: row for row in json.loads(TABLE.read_text(encoding="utf-8"))}
LIMITS = (15, 500)
AMOUNT = re.compile(r"([\d\s]+)(?:,(\d\d))?\szł")


def amounts(price: Locator) -> list[int]:
    """The amounts of a price in grosze, from above."""
    found = [AMOUNT.search(text) for text in price.get_by_role("definition").all_inner_texts()]
    return [int(re.sub(r"\s", "", one[1])) * 100 + int(one[2] or 0) for one in found if one]


def test_both_pages_name_the_prices_of_the_table(browse, product):
    written = product.doors.get("/").text  # before any script runs
    assert "Cennik: od 149" in written
    assert "183,27" in written
    page = browse(width=390)
    page.goto("/")
    page.get_by_role("link", name="Potem od 149 zł netto za 30 dni").click()
    prices = page.get_by_role("region", name="Cennik: od 149 zł netto za 30 dni")
    expect(prices).to_be_in_viewport()
    page.keyboard.press("Tab")  # to the number: one cannot take away from five
    for limit in LIMITS:
        expect(page.get_by_label("Ilu masz kierowców?")).to_be_focused()
        page.keyboard.type(str(limit))
        page.keyboard.press("Enter")
        expect(prices).to_contain_text(f"30 dni, do {limit} kierowców")
        expect(prices.get_by_role("status")).to_contain_text(f"Do {limit} kierowców: ")
        row = PRICES[limit]
        assert amounts(prices) == [row["net"], row["vat"], row["gross"]]
        page.get_by_label("Ilu masz kierowców?").select_text()
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(prices.get_by_text("Minimum 5 kierowców")).to_be_visible()
    assert [*violations(page), *cut_off(page)] == []
    prices.get_by_role("link", name="Wypróbuj 7 dni za darmo").click()
    page.wait_for_url("**/auth/register")

    page = browse(company=buyer(product, "cena"))
    page.goto(SUBSCRIPTION)
    summary = page.get_by_role("region", name="Podsumowanie")
    for limit in LIMITS:
        page.get_by_label("Liczba kierowców").fill(str(limit))
        expect(summary).to_contain_text(f"30 dni, do {limit} kierowców")
        expect(summary).to_contain_text("Dostęp do")  # this is the server's word
        row = PRICES[limit]
        assert amounts(summary) == [row["net"], row["net"], row["vat"], row["gross"]]
