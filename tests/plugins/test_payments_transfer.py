"""Transfers to our own account: what a payer is told, and how the money is known again."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.payments import (
    BookedProvider,
    EventKind,
    Method,
    Order,
    PaymentEvent,
    PaymentRef,
    RenewingProvider,
)
from prawko.testing.booked_contract import BookedContract, booked
from prawko.testing.provider_contract import KEY_LENGTH, KEY_LETTERS, PRICE, order
from prawko_payments_transfer import TransferProvider, payment_providers
from prawko_payments_transfer.iban import InvalidIbanError, compact

IBAN = "PL61109010140000071219812874"
ACCOUNT = {
    "TRANSFER_IBAN": "PL61 1090 1014 0000 0712 1981 2874",
    "TRANSFER_OWNER": "Prawko sp. z o.o.",
    "TRANSFER_ADDRESS": "ul. Prosta 1, 00-838 Warszawa",
}
KEY = "7F3K9QX2ABCD"
KEYS = st.text(KEY_LETTERS, min_size=KEY_LENGTH, max_size=KEY_LENGTH)


def provider_with(**changes: str) -> TransferProvider:
    (made,) = payment_providers(Environment({**ACCOUNT, **changes}))
    return made


class TestContract(BookedContract):
    """The promises of a provider whose payments an operator books."""

    @pytest.fixture
    def provider(self) -> TransferProvider:
        return provider_with()


def keyed(key: str) -> Order:
    made = order(Method.TRANSFER)
    return Order(**{**{name: getattr(made, name) for name in made.__struct_fields__}, "key": key})


@pytest.mark.anyio
async def test_the_payer_is_told_all_that_a_banks_form_asks_for() -> None:
    redirect = await provider_with().start(keyed(KEY))

    assert redirect.transfer is not None
    told = redirect.transfer
    assert (told.title, told.iban) == ("PRAWKO 7F3K 9QX2 ABCD", IBAN)
    assert (told.owner, told.address) == (ACCOUNT["TRANSFER_OWNER"], ACCOUNT["TRANSFER_ADDRESS"])
    assert (redirect.url, redirect.open_seconds) == (None, 14 * 24 * 60 * 60)


@pytest.mark.anyio
async def test_the_prefix_and_the_days_are_settings() -> None:
    other = provider_with(TRANSFER_PREFIX="TACHO2", TRANSFER_DAYS="7")
    redirect = await other.start(keyed(KEY))

    assert redirect.transfer is not None
    assert redirect.transfer.title == "TACHO2 7F3K 9QX2 ABCD"
    assert redirect.open_seconds == 7 * 24 * 60 * 60
    assert other.key_in("tacho2 7f3k9qx2abcd") == KEY


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [kind for kind in EventKind if kind is not EventKind.PAID])
async def test_nothing_but_money_that_came_is_believed(kind: EventKind) -> None:
    ref = PaymentRef(KEY)
    at = booked(ref, PRICE).at
    for event in (
        PaymentEvent(event_id="e", kind=kind, ref=ref, at=at, money=PRICE),
        PaymentEvent(event_id="e", kind=EventKind.PAID, ref=ref, at=at),
    ):
        assert await provider_with().confirm(event, expected=PRICE) is None


@pytest.mark.anyio
async def test_a_key_that_nobody_could_retype_is_ours_to_correct() -> None:
    for key in ("abc", "7F3K9QX2ABCL", "7F3K9QX2ABCDE"):
        with pytest.raises(ValueError, match="Crockford"):
            await provider_with().start(keyed(key))
    with pytest.raises(ValueError, match="card"):
        await provider_with().start(order(Method.CARD))


def test_it_takes_part_only_where_an_account_is_configured() -> None:
    assert payment_providers(Environment({})) == []
    assert isinstance(provider_with(), BookedProvider)
    assert not isinstance(provider_with(), RenewingProvider)


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
        ({"TRANSFER_DAYS": "0"}, "TRANSFER_DAYS"),
        ({"TRANSFER_DAYS": "a week"}, "TRANSFER_DAYS"),
    ],
)
def test_half_an_account_or_a_wrong_one_stops_the_start(
    changes: dict[str, str], variable: str
) -> None:
    with pytest.raises(SettingError) as refused:
        payment_providers(Environment({**ACCOUNT, **changes}))

    assert refused.value.variable == variable


@pytest.mark.parametrize(
    "iban",
    ["PL61109010140000071219812874", "DE89 3704 0044 0532 0130 00", "gb82 west 1234 5698 7654 32",
     "NO9386011117947"],
)  # fmt: skip
def test_published_examples_of_ibans_are_taken(iban: str) -> None:
    assert compact(iban) == iban.replace(" ", "").upper()


@given(place=st.integers(2, 27), other=st.sampled_from("0123456789"))
def test_one_wrong_digit_in_an_iban_is_always_seen(place: int, other: str) -> None:
    wrong = IBAN[:place] + other + IBAN[place + 1 :]
    if wrong == IBAN:
        assert compact(wrong) == IBAN
        return
    with pytest.raises(InvalidIbanError):
        compact(wrong)


@pytest.mark.parametrize(
    "typed",
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
def test_a_title_is_read_as_payers_and_banks_write_it(typed: str) -> None:
    assert provider_with().key_in(typed) == KEY


@pytest.mark.parametrize(
    "typed",
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
def test_a_title_that_names_no_order_for_sure_is_left_to_a_person(typed: str) -> None:
    assert provider_with().key_in(typed) is None


@given(key=KEYS, seed=st.integers(0, 10_000))
def test_any_key_is_known_again_after_blanks_case_and_mistaken_letters(key: str, seed: int) -> None:
    chance = random.Random(seed)
    mistaken = {"0": "0Oo", "1": "1IilL"}
    typed = "".join(
        chance.choice(mistaken.get(letter, letter + letter.lower())) + chance.choice(["", " ", "-"])
        for letter in f"PRAWKO{key}"
    )

    assert provider_with().key_in(typed) == key
