"""The states of the subscription's screens: plan, details, order, payment and result."""

import re

from screens import Screen, State, expect_text

PAGE, SUCCESS, FAILED = (
    "/panel/subscription", "/panel/subscription/success", "/panel/subscription/failed",
)  # fmt: skip
SUBSCRIPTION, ORDER = "**/api/subscription", "**/api/orders/*"
ORDER_ID = "01a1f000-0000-7000-8000-0000000000f0"
ORDER_QUERY = f"?order={ORDER_ID}"
LONG_DETAILS = {
    "companyName": "Przedsiębiorstwo Transportowo-Spedycyjno-Usługowe "
    "„Konstantynopolitańczykowianeczka” Brzęczyszczykiewicz i Wspólnicy spółka komandytowo-akcyjna",
    "taxId": "5261040828", "street": "ul. Generała Michała Karaszewicza-Tokarzewskiego 123B/45",
    "postalCode": "08-443", "city": "Sobienie Kiełczewskie Drugie",
}  # fmt: skip
OPEN_ORDER = {
    "id": ORDER_ID, "kind": "period", "state": "open", "method": "card", "driverLimit": 15,
    "net": 24900, "vat": 5727, "gross": 30627, "createdAt": "2026-11-21T08:00:00Z",
    "url": "http://127.0.0.1:1/pay", "transfer": None, "reason": None,
}  # fmt: skip
TRANSFER_ORDER = {
    **OPEN_ORDER, "method": "transfer", "url": None,
    "transfer": {
        "title": "PRAWKO 7K3M9QX2A4BC", "iban": "PL61109010140000071219812874",
        "owner": "Prawko spółka z ograniczoną odpowiedzialnością",
        "address": "ul. Prosta 1, 00-838 Warszawa",
    },
}  # fmt: skip
BLIK_ORDER = {**OPEN_ORDER, "method": "blik", "url": None}
ACTIVE_WITH_CARD = {
    "status": "active", "isTrial": False, "cancelled": False, "renews": True, "user": LONG_DETAILS,
    "mandateLabel": "Visa •••• 4242",
}  # fmt: skip
SCHEDULED_LIMIT = {
    **ACTIVE_WITH_CARD, "renews": False, "mandateLabel": None, "drivers": 4, "driverLimit": 15,
    "endDate": "2026-12-21T08:00:00Z", "nextLimit": 5, "nextLimitAt": "2026-12-21T08:00:00Z",
}  # fmt: skip
GRACE = {
    **ACTIVE_WITH_CARD, "status": "expired", "daysLeft": 0, "endDate": "2026-11-20T08:00:00Z",
    "graceUntil": "2026-11-23T08:00:00Z",
}  # fmt: skip
INVOICES = [
    {
        "id": f"01a1f000-0000-7000-8000-{number:012}", "number": f"FV/2026/11/{number:04}",
        "issuedAt": f"2026-11-{number:02}T08:00:00Z", "net": 10009900, "vat": 2302277,
        "gross": 12312177, "currency": "PLN", "pdfReady": number != 4, "ksefState": "numbered",
    }
    for number in range(5, 0, -1)
]  # fmt: skip


def _submit_without_details(screen: Screen) -> None:
    screen.button_starting_with("subscription.order.submit").click()
    screen.expect_text("subscription.billing.missing")
    screen.press("subscription.billing.save")
    screen.expect_text("subscription.billing.street.format")


def _open_cancel_dialog(screen: Screen) -> None:
    screen.press("subscription.cancel.action")
    screen.page.get_by_role("alertdialog").wait_for()


def _raise_limit(screen: Screen) -> None:
    screen.press("subscription.order.limit.more")
    screen.expect_text("subscription.order.purpose.upgrade")


def _submit_short_blik_code(screen: Screen) -> None:
    screen.page.get_by_role("radio", name="BLIK").check()
    screen.fill("subscription.order.code.label", "12")
    screen.button_starting_with("subscription.order.submit").click()
    screen.expect_text("subscription.order.code.format")


def _enter_low_limit(screen: Screen) -> None:
    screen.page.get_by_label(screen.text("subscription.order.limit.label")).fill("10")
    screen.page.keyboard.press("Tab")
    screen.expect_text("subscription.order.limit.belowDrivers")


SUBSCRIPTION_STATES = (
    State("billing-errors", "newcomer", PAGE, _submit_without_details),
    State("trial-subscription", "empty", PAGE,
          expect_text("subscription.trial.banner.runningText")),
    State("upgrade", "demo", PAGE, _raise_limit, override=(SUBSCRIPTION, ACTIVE_WITH_CARD)),
    State("below-drivers", "demo", PAGE, _enter_low_limit,
          override=(SUBSCRIPTION, ACTIVE_WITH_CARD)),
    State("lower-planned", "demo", PAGE, expect_text("subscription.keepLimit.action"),
          override=(SUBSCRIPTION, SCHEDULED_LIMIT)),
    State("blik-code", "empty", PAGE, _submit_short_blik_code,
          override=(SUBSCRIPTION, {"user": LONG_DETAILS})),
    State("cancel", "demo", PAGE, _open_cancel_dialog, override=(SUBSCRIPTION, ACTIVE_WITH_CARD)),
    State("cancelled", "demo", PAGE, expect_text("subscription.resume.action"),
          override=(SUBSCRIPTION, {**ACTIVE_WITH_CARD, "cancelled": True})),
    State("grace", "demo", PAGE, expect_text("subscription.grace.title"),
          override=(SUBSCRIPTION, GRACE)),
    State("open-transfer", "empty", PAGE, expect_text("subscription.openOrder.transfer.lead"),
          override=(SUBSCRIPTION, {"openOrder": TRANSFER_ORDER})),
    State("invoices", "demo", PAGE, expect_text("subscription.invoices.preparing"),
          override=("**/api/invoices", INVOICES)),
    State("checkout-broken", "demo", PAGE, expect_text("subscription.order.method.loadFailed"),
          broken=re.compile("payment-methods|quote|invoices")),
    State("paid", "demo", SUCCESS, expect_text("subscription.result.active"), stays=True),
    State("payment-waiting", "empty", SUCCESS + ORDER_QUERY,
          expect_text("subscription.result.waitingBlik"),
          override=(ORDER, BLIK_ORDER), spins=True),
    State("payment-unknown", "empty", SUCCESS + ORDER_QUERY,
          expect_text("subscription.result.unknown")),
    State("payment-void", "empty", FAILED + ORDER_QUERY,
          expect_text("subscription.result.voidHint"),
          override=(ORDER, {**OPEN_ORDER, "state": "void"})),
)  # fmt: skip
