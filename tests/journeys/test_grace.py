"""A renewal that fails: what a company sees, hears and still has, until it pays again.

It paid 31 days ago, so that its end was yesterday: the clock never runs ahead of today, and no
other company of these journeys comes to its end.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from accessibility import cut_off, violations
from panel import heading
from playwright.sync_api import Page, expect
from tills import SUBSCRIPTION, expect_paid, order, plan, press, subscriber

WARSAW = ZoneInfo("Europe/Warsaw")
RED = "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI"
FAILED = "Nie udało się odnowić subskrypcji"
MAILS = [
    "Płatność się nie powiodła",
    "Płatność się nie powiodła",
    "Płatność się nie powiodła, subskrypcja się nie odnowi",
    "Subskrypcja nie została opłacona, panel jest zamknięty",
    "Zatrzymane uprawnienia: Ewa Wójcik",
]


@contextmanager
def cards_refused(product) -> Iterator[None]:
    """Saved cards that cannot be charged for a while."""
    door = "/dev/payments/charges"
    assert product.doors.put(door, json={"result": "refused", "times": None}).is_success
    try:
        yield
    finally:
        assert product.doors.put(door, json={"result": "paid", "times": None}).is_success


def end_of(company) -> datetime:
    return datetime.fromisoformat(company.client.get("/api/subscription").json()["endDate"])


def accessible(page: Page) -> None:
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert [*violations(page), *cut_off(page)] == [], width


def test_drivers_are_checked_for_three_days_after_a_renewal_that_failed(browse, product):
    now = datetime.now(WARSAW)
    with product.clock_at((now - timedelta(days=31, hours=3)).isoformat()):
        company = subscriber(product, "laska")
        company.add("Ewa", "Wójcik", "LA700001")
    end = end_of(company)
    assert end < now
    with cards_refused(product):
        # Three charges, 6 and 12 hours apart at least, and the closing.
        for before in (23.5, 17, 4.5, -0.5):
            with product.clock_at((end - timedelta(hours=before)).isoformat()):
                product.doors.post("/dev/jobs")
    product.knows(
        "LA700001", firstName="Ewa", lastName="Wójcik",
        state={"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
    )  # fmt: skip
    product.daily_check()

    until = (end.astimezone(WARSAW) + timedelta(days=3)).strftime("%d.%m.%Y, %H:%M")
    page = browse(company=company)
    page.goto(SUBSCRIPTION)
    banner = page.get_by_role("main").get_by_role("alert").filter(has_text=FAILED)
    expect(banner).to_contain_text("Panel kierowców jest zamknięty.")
    expect(banner).to_contain_text(f"jeszcze do {until}")
    expect(plan(page, "Status")).to_contain_text("Wygasła")
    expect(plan(page, "Koniec okresu")).to_contain_text(f"{end.astimezone(WARSAW):%d.%m.%Y}")
    expect(plan(page, "Odnowienie")).to_contain_text("Nie powiodło się")
    accessible(page)

    product.mail_about(company.email, MAILS[-1])
    told = [mail["subject"].removeprefix("Prawko: ") for mail in product.mails_to(company.email)]
    assert [subject for subject in reversed(told) if subject in MAILS] == MAILS
    page.goto("/panel")
    expect(page.get_by_role("alert").filter(has_text=FAILED)).to_contain_text(until)
    expect(page.get_by_role("region", name=RED)).to_contain_text("Ewa Wójcik")
    expect(page.get_by_text("Stan na dzień")).to_be_visible()  # and nothing is stale
    page.goto("/panel/drivers")
    expect(heading(page, "Wymagana subskrypcja")).to_be_visible()
    accessible(page)

    page.get_by_role("link", name="Opłać subskrypcję").click()
    order(page)
    press(page, "^Zapłać")
    expect_paid(page)
    page.get_by_role("button", name="Przejdź do panelu").click()
    expect(heading(page, "Panel główny")).to_be_visible()
    page.goto(SUBSCRIPTION)
    expect(plan(page, "Status")).to_contain_text("Aktywna")
    expect(plan(page, "Pozostało")).to_contain_text("30 dni")
    expect(plan(page, "Odnowienie")).to_contain_text(re.compile("Automatyczne.*Visa"))
    expect(page.get_by_text(FAILED)).to_have_count(0)
    page.goto("/panel/drivers")
    expect(page.get_by_role("button", name="Dodaj kierowcę")).to_be_visible()
