"""The content of the transfer mail, and when there is none."""

from datetime import UTC, datetime
from types import SimpleNamespace
from uuid import UUID

import msgspec
import pytest

from prawko.billing.models import OrderKind, OrderState, SubscriptionOrder
from prawko.billing.transfer_mail import build_transfer_message, format_iban
from prawko.hooks.payments import TransferInstructions
from prawko.kit.text.i18n import Language
from prawko.payments.models import Payment
from prawko.payments.state_machine import PaymentRecordState

SETTINGS = SimpleNamespace(brand="Prawko", base_url="https://panel.test", operator_contact_email="")
ORDER = UUID(int=7)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
TRANSFER = TransferInstructions(
    title="PRAWKO 7F3K 9QX2 ABCD",
    iban="PL61109010140000071219812874",
    owner="Prawko sp. z o.o.",
    address="ul. Prosta 1, 00-838 Warszawa",
)


def make_payment(**changes: object) -> Payment:
    values = {
        "state": PaymentRecordState.OPEN,
        "transfer": TRANSFER,
        "expires_at": datetime(2026, 12, 4, 23, 30, tzinfo=UTC),  # the next day in Warsaw
        **changes,
    }
    return Payment(**values)


def make_order(**changes: object) -> SubscriptionOrder:
    values = {"kind": OrderKind.PERIOD, "state": OrderState.OPEN, "driver_limit": 10, **changes}
    return SubscriptionOrder(id=ORDER, net=19900, vat=4577, **values)


@pytest.mark.parametrize(
    ("language", "expected_rows"),
    [
        (
            Language.PL,
            ["Odbiorca: Prawko sp. z o.o.", "Numer konta: PL61 1090 1014 0000 0712 1981 2874",
             "Kwota: 244,77 zł", "Tytuł: PRAWKO 7F3K 9QX2 ABCD", "Zapłać do: 05.12.2026",
             "Zamówienie: Prawko: 30 dni, do 10 kierowców", "Netto: 199,00 zł",
             "VAT 23%: 45,77 zł"],
        ),
        (
            Language.EN,
            ["Recipient: Prawko sp. z o.o.", "Account number: PL61 1090 1014 0000 0712 1981 2874",
             "Amount: 244,77 zł", "Title: PRAWKO 7F3K 9QX2 ABCD", "Pay by: 05.12.2026",
             "Net: 199,00 zł", "VAT 23%: 45,77 zł"],
        ),
    ],
)  # fmt: skip
def test_the_mail_has_everything_a_transfer_needs(
    language: Language, expected_rows: list[str]
) -> None:
    message = build_transfer_message(SETTINGS, make_order(), make_payment(), language)
    assert message is not None

    lines = message.text.split("\n")
    for row in expected_rows:
        assert row in lines
    assert message.link == (
        f"https://panel.test/auth/login?next=/panel/subscription%3Forder%3D{ORDER}"
    )


def test_an_empty_address_is_left_out() -> None:
    transfer = msgspec.structs.replace(TRANSFER, address="")
    payment = make_payment(transfer=transfer)
    message = build_transfer_message(SETTINGS, make_order(), payment, Language.PL)
    assert message is not None
    assert "Adres" not in message.text


@pytest.mark.parametrize("kind", OrderKind)
def test_every_kind_of_order_has_a_text(kind: OrderKind) -> None:
    message = build_transfer_message(SETTINGS, make_order(kind=kind), make_payment(), Language.PL)
    assert message is not None
    assert ("dopłata" in message.text) is (kind is OrderKind.UPGRADE)


@pytest.mark.parametrize("state", [state for state in OrderState if state is not OrderState.OPEN])
def test_an_order_that_is_not_open_has_no_mail(state: OrderState) -> None:
    order = make_order(state=state)
    assert build_transfer_message(SETTINGS, order, make_payment(), Language.PL) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"state": PaymentRecordState.PAID},
        {"state": PaymentRecordState.EXPIRED},
        {"transfer": None},
        {"expires_at": None},
    ],
)
def test_a_payment_that_is_not_an_open_transfer_has_no_mail(changes: dict) -> None:
    payment = make_payment(**changes)
    assert build_transfer_message(SETTINGS, make_order(), payment, Language.PL) is None


def test_an_iban_is_grouped_by_four() -> None:
    assert format_iban("PL61109010140000071219812874") == "PL61 1090 1014 0000 0712 1981 2874"
    assert format_iban("NO9386011117947") == "NO93 8601 1117 947"
