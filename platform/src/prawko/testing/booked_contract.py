"""What every provider promises whose payments an operator books, as tests.

class TestContract(BookedContract): ...

Needs pytest and anyio.
"""

# ruff: noqa: S101 (tests are made of assertions)

import inspect

import pytest

from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback
from prawko.hooks.payments import (
    BookedProvider,
    EventKind,
    Method,
    Money,
    PaymentEvent,
    PaymentRef,
    PaymentState,
    Redirect,
    RefundState,
)
from prawko.testing.provider_contract import PRICE, Pays, ProviderContract, order

LONGEST_TITLE = 140  # that a Polish transfer carries
MISTAKEN = str.maketrans("01", "OL")


class BookedContract(ProviderContract):
    """Further promises of a provider that nobody calls but an operator."""

    booked = True

    @pytest.fixture
    def pays(self) -> Pays:
        """Pay; return what an operator's word becomes."""

        async def pay(redirect: Redirect) -> PaymentEvent:
            return booked(redirect.ref, PRICE)

        return pay

    @pytest.fixture
    def forged(self) -> list[Callback]:
        """Any call at all: there is no server that would make one."""
        return [
            Callback(headers=headers, query={}, body=body, received_at=machine_now())
            for headers in ({}, {"x-signature": "0" * 64})
            for body in (b"", b"{}", b'{"key":"0","money":{"grosze":18327,"currency":"PLN"}}')
        ]

    @pytest.mark.parametrize("money", [Money(18326), Money(18328), Money(18327, "EUR")])
    async def test_another_sum_than_was_expected_stays_a_claim(
        self, provider: BookedProvider, method: Method, money: Money
    ) -> None:
        redirect = await provider.start(order(method))

        found = await provider.confirm(booked(redirect.ref, money), expected=PRICE)

        assert found is not None
        assert (found.state, found.money) == (PaymentState.CLAIMED, money)

    async def test_it_says_what_to_pay_and_where(
        self, provider: BookedProvider, method: Method
    ) -> None:
        redirect = await provider.start(order(method))

        assert redirect.transfer is not None
        assert redirect.transfer.iban
        assert redirect.transfer.owner
        assert 0 < len(redirect.transfer.title) <= LONGEST_TITLE

    async def test_a_title_is_known_again_however_it_was_typed(
        self, provider: BookedProvider, method: Method
    ) -> None:
        for _ in range(20):
            redirect = await provider.start(order(method))
            assert redirect.transfer is not None
            title = redirect.transfer.title
            for typed in (
                title,
                title.lower(),
                title.replace(" ", ""),
                title.replace(" ", "-"),
                f"  {title.replace(' ', '   ')}\n",
                title.translate(MISTAKEN),
                f"Opłata za lipiec, {title}, dziękuję!",
            ):
                assert provider.key_in(typed) == redirect.ref.key, typed

    async def test_a_title_that_names_no_order_is_not_made_into_one(
        self, provider: BookedProvider
    ) -> None:
        assert not inspect.iscoroutinefunction(provider.key_in)
        for title in ("", " ", "\0", "faktura 12/2026", "Zażółć gęślą jaźń", "7F3K", "PLN 183,27"):
            assert provider.key_in(title) is None, title

    async def test_asking_tells_nothing_and_money_goes_back_by_hand(
        self, provider: BookedProvider, method: Method
    ) -> None:
        redirect = await provider.start(order(method))
        await provider.confirm(booked(redirect.ref, PRICE), expected=PRICE)

        assert await provider.status(redirect.ref) is None
        if not provider.capabilities.refunds:
            refund = await provider.refund(redirect.ref, PRICE, key="r1")
            assert (refund.state, bool(refund.reason)) == (RefundState.REFUSED, True)


def booked(ref: PaymentRef, money: Money) -> PaymentEvent:
    """What the platform makes of an operator's word."""
    return PaymentEvent(
        event_id=f"booked:{ref.key}", kind=EventKind.PAID, ref=ref, at=machine_now(), money=money
    )
