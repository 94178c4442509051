"""The transfer provider: instructions for payers, references in titles, IBANs."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.payments import (
    ManualProvider,
    PaymentEvent,
    PaymentEventKind,
    PaymentMethod,
    PaymentRef,
    PaymentRequest,
    RecurringProvider,
)
from prawko_payments_transfer import TransferProvider, payment_providers
from prawko_payments_transfer.iban import InvalidIbanError, parse_iban
from prawko_testing.manual_payment_contract import ManualPaymentContract, bank_transfer_event
from prawko_testing.provider_contract import (
    PRICE,
    REFERENCE_ALPHABET,
    REFERENCE_LENGTH,
    sample_request,
)

IBAN = "PL61109010140000071219812874"
ACCOUNT = {
    "TRANSFER_IBAN": "PL61 1090 1014 0000 0712 1981 2874",
    "TRANSFER_OWNER": "Prawko sp. z o.o.",
    "TRANSFER_ADDRESS": "ul. Prosta 1, 00-838 Warszawa",
}
KEY = "7F3K9QX2ABCD"
KEYS = st.text(REFERENCE_ALPHABET, min_size=REFERENCE_LENGTH, max_size=REFERENCE_LENGTH)


def create_provider(**changes: str) -> TransferProvider:
    (provider,) = payment_providers(Environment({**ACCOUNT, **changes}))
    return provider


class TestContract(ManualPaymentContract):
    """The contract of a provider whose payments an operator books."""

    @pytest.fixture
    def provider(self) -> TransferProvider:
        return create_provider()


def order_with_key(key: str) -> PaymentRequest:
    request = sample_request(PaymentMethod.TRANSFER)
    return PaymentRequest(
        **{**{name: getattr(request, name) for name in request.__struct_fields__}, "reference": key}
    )


@pytest.mark.anyio
async def test_the_payer_gets_complete_transfer_instructions() -> None:
    action = await create_provider().create_payment(order_with_key(KEY))

    assert action.transfer is not None
    transfer = action.transfer
    assert (transfer.title, transfer.iban) == ("PRAWKO 7F3K 9QX2 ABCD", IBAN)
    assert (transfer.owner, transfer.address) == (
        ACCOUNT["TRANSFER_OWNER"],
        ACCOUNT["TRANSFER_ADDRESS"],
    )
    assert (action.url, action.expires_in_seconds) == (None, 14 * 24 * 60 * 60)


@pytest.mark.anyio
async def test_the_prefix_is_a_setting() -> None:
    other_provider = create_provider(TRANSFER_PREFIX="TACHO2")
    action = await other_provider.create_payment(order_with_key(KEY))

    assert action.transfer is not None
    assert action.transfer.title == "TACHO2 7F3K 9QX2 ABCD"
    assert other_provider.extract_reference("tacho2 7f3k9qx2abcd") == KEY


@pytest.mark.anyio
@pytest.mark.parametrize(
    "kind", [kind for kind in PaymentEventKind if kind is not PaymentEventKind.PAID]
)
async def test_only_a_recorded_payment_is_captured(kind: PaymentEventKind) -> None:
    ref = PaymentRef(KEY)
    occurred_at = bank_transfer_event(ref, PRICE).occurred_at
    for event in (
        PaymentEvent(event_id="e", kind=kind, ref=ref, occurred_at=occurred_at, money=PRICE),
        PaymentEvent(event_id="e", kind=PaymentEventKind.PAID, ref=ref, occurred_at=occurred_at),
    ):
        assert await create_provider().capture(event, expected=PRICE) is None


@pytest.mark.anyio
async def test_a_reference_of_another_format_is_refused() -> None:
    for key in ("abc", "7F3K9QX2ABCL", "7F3K9QX2ABCDE"):
        with pytest.raises(ValueError, match="Crockford"):
            await create_provider().create_payment(order_with_key(key))
    with pytest.raises(ValueError, match="card"):
        await create_provider().create_payment(sample_request(PaymentMethod.CARD))


def test_it_is_absent_without_an_account() -> None:
    assert payment_providers(Environment({})) == []
    assert isinstance(create_provider(), ManualProvider)
    assert not isinstance(create_provider(), RecurringProvider)


@pytest.mark.parametrize(
    ("changes", "variable"),
    [
        *(({name: ""}, name) for name in ACCOUNT),
        ({"TRANSFER_IBAN": "PL61 1090 1014 0000 0712 1981 2875"}, "TRANSFER_IBAN"),
        ({"TRANSFER_IBAN": "61109010140000071219812874"}, "TRANSFER_IBAN"),
        ({"TRANSFER_IBAN": "PL6110901014000007121981287"}, "TRANSFER_IBAN"),
        ({"TRANSFER_IBAN": "account"}, "TRANSFER_IBAN"),
        ({"TRANSFER_OWNER": " "}, "TRANSFER_OWNER"),
        ({"TRANSFER_ADDRESS": " "}, "TRANSFER_ADDRESS"),
        ({"TRANSFER_PREFIX": "prawko"}, "TRANSFER_PREFIX"),
        ({"TRANSFER_PREFIX": "PRAWKO\n"}, "TRANSFER_PREFIX"),
    ],
)
def test_an_incomplete_or_invalid_account_names_the_variable(
    changes: dict[str, str], variable: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        payment_providers(Environment({**ACCOUNT, **changes}))

    assert refused.value.variable == variable


@pytest.mark.parametrize(
    "iban",
    ["PL61109010140000071219812874", "DE89 3704 0044 0532 0130 00", "gb82 west 1234 5698 7654 32",
     "NO9386011117947"],
)  # fmt: skip
def test_published_ibans_are_valid(iban: str) -> None:
    assert parse_iban(iban) == iban.replace(" ", "").upper()


@given(position=st.integers(2, 27), digit=st.sampled_from("0123456789"))
def test_one_wrong_digit_makes_an_iban_invalid(position: int, digit: str) -> None:
    mistyped = IBAN[:position] + digit + IBAN[position + 1 :]
    if mistyped == IBAN:
        assert parse_iban(mistyped) == IBAN
        return
    with pytest.raises(InvalidIbanError):
        parse_iban(mistyped)


@pytest.mark.parametrize(
    "title",
    [
        "PRAWKO 7F3K 9QX2 ABCD",
        "prawko 7f3k-9qx2-abcd",
        "PRAWKO7F3K9QX2ABCD",
        "PRAWKO 7F3K 9QX2 ABCD PRAWKO 7F3K 9QX2 ABCD",
        "Tytułem: PRAWKO 7F3K 9QX2 ABCD za lipiec",
        "Prawko sp. z o.o. PRAWKO 7F3K 9QX2 ABCD",
        "PRAWKO 7F3K 9QX2 ABCD prawko opłata za pakiet",
        "PRAWKO 7F3K 9QX2 ABCD FAKTURA12345",
        "zaplata za panel PRAWKO 7F3K 9Q\nX2 ABCD",  # a bank's line of 35 characters
        "PRA WKO 7F3 K9Q X2A BCD",
        "PRAWKO: 7F3K/9QX2/ABCD.",
        "PRAWKO_7F3K_9QX2_ABCD",
        "7F3K 9QX2 ABCD",
        "7f3k9qx2abcd",
        "za 10 kierowców: 7F3K-9QX2-ABCD",
        "PRAWK0 7F3K 9QX2 ABCD",
    ],
)
def test_a_reference_is_extracted_from_titles_as_written(title: str) -> None:
    assert create_provider().extract_reference(title) == KEY


@pytest.mark.parametrize(
    "title",
    [
        "PRAWKO",
        "PRAWKO 7F3K 9QX2",
        "PRAWKO faktura 7/2026",
        "faktura nr FV/2026/07/0012",
        "PODZIEKOWANIE za PRAWKO",
        "7F3K 9QX2 ABCD oraz 1111 2222 3333",  # which of them?
        "PRAWKO 7F3K 9QX2 ABCD i PRAWKO 1111 2222 3333",
        "7F3K9QX2ABCDE",
        "61109010140000071219812874",
    ],
)
def test_an_ambiguous_title_has_no_reference(title: str) -> None:
    assert create_provider().extract_reference(title) is None


@given(key=KEYS, seed=st.integers(0, 10_000))
def test_any_reference_survives_spaces_case_and_misread_digits(key: str, seed: int) -> None:
    chance = random.Random(seed)
    look_alikes = {"0": "0Oo", "1": "1IilL"}
    title = "".join(
        chance.choice(look_alikes.get(character, character + character.lower()))
        + chance.choice(["", " ", "-"])
        for character in f"PRAWKO{key}"
    )

    assert create_provider().extract_reference(title) == key
