"""A start with payments that cannot be taken says so, and one without any takes none."""

import pytest

from payments_shop import Shop
from prawko.base.plugins import PluginError
from prawko.base.start import open_tools
from prawko.hooks.payments import Order, PaymentError
from prawko.payments.errors import PaymentUnavailableError
from prawko.payments.jobs import ask_open_payments, work_on_payments
from prawko.payments.service import Payments
from prawko.payments.telling import tell_of_payments
from prawko.testing.fake_payments import payment_plugin
from prawko.testing.fakes import FakeRegister, RecordingChannel, fake_plugin

pytestmark = pytest.mark.anyio


def test_a_provider_that_is_not_set_up_stops_the_start(variables, fake) -> None:
    plugins = {
        "fakes": fake_plugin(FakeRegister(), RecordingChannel()), "payments": payment_plugin(fake),
    }  # fmt: skip
    with pytest.raises(PluginError, match="PAYMENT_PROVIDERS names 'payu'; configured: fake"):
        open_tools({**variables, "PAYMENT_PROVIDERS": "fake,payu"}, extra_plugins=plugins)


async def test_what_is_to_be_had_is_asked_for_and_remembered(shop: Shop, fake) -> None:
    asked = []
    available = fake.available

    async def counted(money):
        asked.append(money)
        return await available(money)

    fake.available = counted
    price = shop.purchase().money
    methods = [one.method for one in await shop.payments.available(price)]
    assert methods == [one.method for one in shop.payments.methods()]
    await shop.payments.available(price)
    assert asked == [price]

    fake.broken = PaymentError("nobody is there")
    other = Payments(shop.worker)
    for _ in range(2):
        could = [one.method for one in await other.available(price)]
        assert could == methods, "what it says it can"
    assert len(asked) == 2, "silence is remembered, too"


class TestOff:
    """Without providers nothing can be bought, and nothing else is disturbed."""

    @pytest.fixture
    def variables(self, variables) -> dict[str, str]:
        return {**variables, "PAYMENT_PROVIDERS": ""}

    async def test_nothing_can_be_bought(self, shop: Shop) -> None:
        assert shop.payments.methods() == ()
        with pytest.raises(PaymentUnavailableError):
            await shop.prepares(shop.purchase())

    async def test_who_was_taken_off_the_list_is_still_heard(self, shop: Shop, fake) -> None:
        purchase = shop.purchase()
        order = Order(
            key="STRANGER0001", money=purchase.money, method=purchase.method, title="x",
            payer=purchase.payer, return_url=purchase.return_url,
        )  # fmt: skip
        call = await fake.pay(await fake.start(order))
        assert await shop.hears("fake", call) == 200


class TestNobody:
    """Where no provider is set up at all, the jobs need nobody who buys."""

    @pytest.fixture
    def providers(self) -> list:
        return []

    @pytest.fixture
    def variables(self, variables) -> dict[str, str]:
        return {**variables, "PAYMENT_PROVIDERS": ""}

    async def test_the_jobs_do_nothing(self, worker) -> None:
        for job in (work_on_payments, ask_open_payments, tell_of_payments):
            await job(worker)
