"""The mail with what to pay: what it says, and when there is nothing to say."""

from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from prawko.base.texts import Language
from prawko.billing.models import SubscriptionOrder
from prawko.billing.orders import OrderKind, OrderState
from prawko.billing.transfer_mail import grouped, proforma, transfer_mail
from prawko.hooks.payments import Method, Money, Transfer
from prawko.payments.purchase import PaymentView
from prawko.payments.settling import State

ORDER = UUID(int=7)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
WAITS = PaymentView(
    id=UUID(int=8),
    order_id=ORDER,
    state=State.OPEN,
    method=Method.TRANSFER,
    provider="transfer",
    money=Money(24477),
    url=None,
    transfer=Transfer(
        title="PRAWKO 7F3K 9QX2 ABCD",
        iban="PL61109010140000071219812874",
        owner="Prawko sp. z o.o.",
        address="ul. Prosta 1, 00-838 Warszawa",
    ),
    mandate_id=None,
    reason=None,
    open_until=datetime(2026, 12, 4, 23, 30, tzinfo=UTC),  # in Warsaw the day after
    created_at=NOON,
    settled_at=None,
)


def order(**changes: object) -> SubscriptionOrder:
    given = {"kind": OrderKind.PERIOD, "state": OrderState.OPEN, "driver_limit": 10, **changes}
    return SubscriptionOrder(id=ORDER, net=19900, vat=4577, **given)


@pytest.mark.parametrize(
    ("language", "told"),
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
             "Amount: PLN 244.77", "Title: PRAWKO 7F3K 9QX2 ABCD", "Pay by: 5 December 2026",
             "Net: PLN 199.00", "VAT 23%: PLN 45.77"],
        ),
    ],
)  # fmt: skip
def test_it_says_all_that_a_banks_form_asks_for(language: Language, told: list[str]) -> None:
    about = proforma(order(), WAITS, language)
    assert about is not None
    notice = transfer_mail("Prawko", "https://panel.test", about, language)

    lines = notice.text.split("\n")
    for row in told:
        assert row in lines
    assert notice.link == f"https://panel.test/panel/subscription?order={ORDER}"


def test_an_address_that_nobody_gave_is_left_out() -> None:
    transfer = msgspec.structs.replace(WAITS.transfer, address="")
    about = proforma(order(), msgspec.structs.replace(WAITS, transfer=transfer), Language.PL)
    assert about is not None
    assert "Adres" not in transfer_mail("Prawko", "https://panel.test", about, Language.PL).text


@pytest.mark.parametrize("kind", OrderKind)
def test_every_kind_of_order_has_words(kind: OrderKind) -> None:
    about = proforma(order(kind=kind), WAITS, Language.PL)
    assert about is not None
    upgrade = "dopłata" in transfer_mail("Prawko", "https://x.test", about, Language.PL).text
    assert upgrade is (kind is OrderKind.UPGRADE)


@pytest.mark.parametrize("state", [state for state in OrderState if state is not OrderState.OPEN])
def test_an_order_that_waits_for_no_money_has_no_mail(state: OrderState) -> None:
    assert proforma(order(state=state), WAITS, Language.PL) is None


@pytest.mark.parametrize(
    "changes", [{"state": State.PAID}, {"state": State.EXPIRED}, {"transfer": None},
                {"open_until": None}],
)  # fmt: skip
def test_a_payment_that_is_no_open_transfer_has_no_mail(changes: dict) -> None:
    assert proforma(order(), msgspec.structs.replace(WAITS, **changes), Language.PL) is None


def test_an_account_number_is_grouped_as_people_type_it() -> None:
    assert grouped("PL61109010140000071219812874") == "PL61 1090 1014 0000 0712 1981 2874"
    assert grouped("NO9386011117947") == "NO93 8601 1117 947"
