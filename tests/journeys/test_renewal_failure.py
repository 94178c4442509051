"""The journey of a failed renewal: notices, the grace period, and a new payment.

The company paid 31 days ago, so that its period ended yesterday: the clock is never ahead of the
system time, which would expire the companies of other journeys.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from accessibility import horizontal_overflow, violations
from panel_page import heading
from payment_steps import (
    SUBSCRIPTION,
    create_subscriber,
    expect_paid,
    plan_fact,
    press_provider_button,
    submit_order,
)
from playwright.sync_api import Page, expect

WARSAW = ZoneInfo("Europe/Warsaw")
WITHHELD_HEADING = "WYKRYTO KIEROWCĘ Z ZATRZYMANYMI UPRAWNIENIAMI"
REFUSED_HEADING = "Opłata za odnowienie została odrzucona"
FAILED_HEADING = "Nie udało się odnowić subskrypcji"
MAILS = [
    "Płatność się nie powiodła",
    "Płatność się nie powiodła",
    "Płatność się nie powiodła, subskrypcja się nie odnowi",
    "Subskrypcja nie została opłacona, panel jest zamknięty",
    "Nie może jechać. Zatrzymane uprawnienia: Ewa Wójcik",
]


@contextmanager
def refused_cards(product) -> Iterator[None]:
    """Make charges of saved cards fail until the block ends."""
    path = "/dev/payments/charges"
    assert product.dev_api.put(path, json={"result": "refused", "times": None}).is_success
    try:
        yield
    finally:
        assert product.dev_api.put(path, json={"result": "paid", "times": None}).is_success


def subscription_end(company) -> datetime:
    return datetime.fromisoformat(company.client.get("/api/subscription").json()["endDate"])


def assert_accessible(page: Page) -> None:
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert [*violations(page), *horizontal_overflow(page)] == [], width


def expect_refusal(page: Page) -> None:
    """Expect the refused charge and its next try on both screens, before the period's end."""
    for path in ("/panel", SUBSCRIPTION):
        page.goto(path)
        banner = page.get_by_role("status").filter(has_text=REFUSED_HEADING)
        expect(banner).to_contain_text("Następna próba")
        assert_accessible(page)


def test_drivers_are_checked_for_three_days_after_a_renewal_that_failed(open_page, product):
    now = datetime.now(WARSAW)
    with product.clock_set_to((now - timedelta(days=31, hours=3)).isoformat()):
        company = create_subscriber(product, "laska")
        company.add_driver("Ewa", "Wójcik", "LA700001")
        company.await_first_checks()  # one that began today would be today's only check
    end = subscription_end(company)
    assert end < now
    with refused_cards(product):
        with product.clock_set_to((end - timedelta(hours=23.5)).isoformat()):
            product.dev_api.post("/dev/jobs")
            expect_refusal(open_page(company=company))
        # Three charges, at least 6 and 12 hours apart, and the expiry.
        for before in (17, 4.5, -0.5):
            with product.clock_set_to((end - timedelta(hours=before)).isoformat()):
                product.dev_api.post("/dev/jobs")
    product.add_document(
        "LA700001", firstName="Ewa", lastName="Wójcik",
        state={"kod": "DICT003_ZAT", "wartosc": "Zatrzymany"},
    )  # fmt: skip
    product.run_daily_check()

    grace_end = (end.astimezone(WARSAW) + timedelta(days=3)).strftime("%d.%m.%Y, %H:%M")
    page = open_page(company=company)
    page.goto(SUBSCRIPTION)
    banner = page.get_by_role("main").get_by_role("alert").filter(has_text=FAILED_HEADING)
    expect(banner).to_contain_text("Panel kierowców jest zamknięty.")
    expect(banner).to_contain_text(f"jeszcze do {grace_end}")
    expect(plan_fact(page, "Status")).to_contain_text("Wygasła")
    expect(plan_fact(page, "Koniec okresu")).to_contain_text(f"{end.astimezone(WARSAW):%d.%m.%Y}")
    expect(plan_fact(page, "Odnowienie")).to_contain_text("Nie powiodło się")
    assert_accessible(page)

    product.wait_for_mail(company.email, MAILS[-1])
    subjects = [
        mail["subject"].removeprefix("Prawko: ") for mail in product.list_mails(company.email)
    ]
    assert [subject for subject in reversed(subjects) if subject in MAILS] == MAILS
    page.goto("/panel")
    expect(page.get_by_role("alert").filter(has_text=FAILED_HEADING)).to_contain_text(grace_end)
    expect(page.get_by_role("region", name=WITHHELD_HEADING)).to_contain_text("Ewa Wójcik")
    expect(page.get_by_text("Stan na dzień")).to_be_visible()  # no results are stale
    page.goto("/panel/drivers")
    expect(heading(page, "Wymagana subskrypcja")).to_be_visible()
    assert_accessible(page)

    page.get_by_role("link", name="Opłać subskrypcję").click()
    submit_order(page)
    press_provider_button(page, "^Zapłać")
    expect_paid(page)
    page.get_by_role("button", name="Przejdź do panelu").click()
    expect(heading(page, "Panel główny")).to_be_visible()
    page.goto(SUBSCRIPTION)
    expect(plan_fact(page, "Status")).to_contain_text("Aktywna")
    expect(plan_fact(page, "Pozostało")).to_contain_text("30 dni")
    expect(plan_fact(page, "Odnowienie")).to_contain_text(re.compile("Automatyczne.*Visa"))
    expect(page.get_by_text(FAILED_HEADING)).to_have_count(0)
    page.goto("/panel/drivers")
    expect(page.get_by_role("button", name="Dodaj kierowcę")).to_be_visible()
