"""The states of the subscription's pages: plan, details, order, payment and what came of it."""

import re

from screens import Screen, State, Step

PAGE, SUCCESS, FAILED = (
    "/panel/subscription", "/panel/subscription/success", "/panel/subscription/failed",
)  # fmt: skip
SUBSCRIPTION, ORDER = "**/api/subscription", "**/api/orders/*"
ID = "01a1f000-0000-7000-8000-0000000000f0"
OF_ORDER = f"?order={ID}"
LONG = {
    "companyName": "Przedsiębiorstwo Transportowo-Spedycyjno-Usługowe "
    "„Konstantynopolitańczykowianeczka” Brzęczyszczykiewicz i Wspólnicy spółka komandytowo-akcyjna",
    "taxId": "5261040828", "street": "ul. Generała Michała Karaszewicza-Tokarzewskiego 123B/45",
    "postalCode": "08-443", "city": "Sobienie Kiełczewskie Drugie",
}  # fmt: skip
OPEN = {
    "id": ID, "kind": "period", "state": "open", "method": "card", "driverLimit": 15,
    "net": 24900, "vat": 5727, "gross": 30627, "createdAt": "2026-11-21T08:00:00Z",
    "url": "http://127.0.0.1:1/pay", "transfer": None, "reason": None,
}  # fmt: skip
TRANSFER = {
    **OPEN, "method": "transfer", "url": None,
    "transfer": {
        "title": "PRAWKO 7K3M9QX2A4BC", "iban": "PL61109010140000071219812874",
        "owner": "Prawko spółka z ograniczoną odpowiedzialnością",
        "address": "ul. Prosta 1, 00-838 Warszawa",
    },
}  # fmt: skip
BLIK = {**OPEN, "method": "blik", "url": None}
SAVED = {
    "status": "active", "isTrial": False, "cancelled": False, "renews": True, "user": LONG,
    "mandateLabel": "Visa •••• 4242",
}  # fmt: skip
PLANNED = {
    **SAVED, "renews": False, "mandateLabel": None, "drivers": 4, "driverLimit": 15,
    "endDate": "2026-12-21T08:00:00Z", "nextLimit": 5, "nextLimitAt": "2026-12-21T08:00:00Z",
}  # fmt: skip
GRACE = {
    **SAVED, "status": "expired", "daysLeft": 0, "endDate": "2026-11-20T08:00:00Z",
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


def _expect(key: str) -> Step:
    return lambda screen: screen.expect(key)


def _without_details(screen: Screen) -> None:
    screen.press("subscription.order.submit")
    screen.expect("subscription.billing.missing")
    screen.press("subscription.billing.save")
    screen.expect("subscription.billing.street.format")


def _cancel(screen: Screen) -> None:
    screen.press("subscription.cancel.action")
    screen.page.get_by_role("alertdialog").wait_for()


def _more(screen: Screen) -> None:
    screen.press("subscription.order.limit.more")
    screen.expect("subscription.order.purpose.upgrade")


def _blik(screen: Screen) -> None:
    screen.page.get_by_role("radio", name="BLIK").check()
    screen.fill("subscription.order.code.label", "12")
    screen.press("subscription.order.submit")
    screen.expect("subscription.order.code.format")


def _too_few(screen: Screen) -> None:
    screen.page.get_by_label(screen.says("subscription.order.limit.label")).fill("10")
    screen.page.keyboard.press("Tab")
    screen.expect("subscription.order.limit.belowDrivers")


SUBSCRIPTION_STATES = (
    State("billing-errors", "newcomer", PAGE, _without_details),
    State("trial-subscription", "empty", PAGE, _expect("subscription.trial.banner.runningText")),
    State("upgrade", "demo", PAGE, _more, told=(SUBSCRIPTION, SAVED)),
    State("below-drivers", "demo", PAGE, _too_few, told=(SUBSCRIPTION, SAVED)),
    State("lower-planned", "demo", PAGE, _expect("subscription.keepLimit.action"),
          told=(SUBSCRIPTION, PLANNED)),
    State("blik-code", "empty", PAGE, _blik, told=(SUBSCRIPTION, {"user": LONG})),
    State("cancel", "demo", PAGE, _cancel, told=(SUBSCRIPTION, SAVED)),
    State("cancelled", "demo", PAGE, _expect("subscription.resume.action"),
          told=(SUBSCRIPTION, {**SAVED, "cancelled": True})),
    State("grace", "demo", PAGE, _expect("subscription.grace.title"), told=(SUBSCRIPTION, GRACE)),
    State("open-transfer", "empty", PAGE, _expect("subscription.openOrder.transfer.lead"),
          told=(SUBSCRIPTION, {"openOrder": TRANSFER})),
    State("invoices", "demo", PAGE, _expect("subscription.invoices.preparing"),
          told=("**/api/invoices", INVOICES)),
    State("till-broken", "demo", PAGE, _expect("subscription.order.method.loadFailed"),
          broken=re.compile("payment-methods|quote|invoices")),
    State("paid", "demo", SUCCESS, _expect("subscription.result.active"), stays=True),
    State("payment-waiting", "empty", SUCCESS + OF_ORDER,
          _expect("subscription.result.waitingBlik"), told=(ORDER, BLIK), waits=True),
    State("payment-unknown", "empty", SUCCESS + OF_ORDER, _expect("subscription.result.unknown")),
    State("payment-void", "empty", FAILED + OF_ORDER, _expect("subscription.result.voidHint"),
          told=(ORDER, {**OPEN, "state": "void"})),
)  # fmt: skip
