"""From the switch in the panel to what a browser decrypts, over a real socket."""

import pytest

from prawko.hooks.environment import Environment
from prawko_channel_webpush import channels
from prawko_testing.fakes import withheld_licence
from support.database import count_rows
from support.people import deliver_outbox
from support.servers.push_service import CONTACT, PRIVATE_KEY, FakePushService

pytestmark = pytest.mark.anyio

URL = "/api/notifications/push"
VARIABLES = {
    "CHANNEL_WEBPUSH_PRIVATE_KEY": PRIVATE_KEY,
    "CHANNEL_WEBPUSH_CONTACT": CONTACT,
    "CHANNEL_WEBPUSH_HOSTS": "127.0.0.1",
}


@pytest.fixture
async def push_service():
    service = FakePushService()
    async with service.serve():
        yield service


@pytest.fixture
def push_inbox(push_service):
    """The channel that a real installation has, instead of one that records."""
    [channel] = channels(Environment(VARIABLES))
    return channel


async def test_a_withheld_licence_is_read_by_the_browser_that_subscribed(
    anna, celina, register, clock, run_daily_check, push_service, worker
) -> None:
    clock.set(clock.now().replace(hour=11))
    annas, celinas = push_service.new_browser(), push_service.new_browser()
    for person, browser in ((anna, annas), (celina, celinas)):
        assert (await person.post(URL, browser.keys)).status_code == 201
    register.answers["AA123456"] = withheld_licence("AA123456")
    driver_id = await anna.add_driver("AA123456")

    await run_daily_check()
    await deliver_outbox(worker)

    [message] = annas.messages
    assert message["title"] == "Nie może jechać. Zatrzymane uprawnienia: Jan Kowalski"
    assert message["path"] == f"/panel/drivers/{driver_id}"
    assert celinas.messages == []


async def test_an_unsubscribed_browser_is_forgotten(anna, push_service, worker, logins) -> None:
    browser = push_service.new_browser()
    await anna.post(URL, browser.keys)
    push_service.browsers.clear()

    await anna.post("/api/notifications/test")
    await deliver_outbox(worker)
    assert await count_rows(logins, "push_browser") == 0


async def test_an_address_within_our_network_is_refused(anna, push_service, logins) -> None:
    browser = push_service.new_browser()
    for endpoint in ("https://10.0.0.1/x", "http://[::1]:5432/x", "https://evil.test/x"):
        answer = await anna.post(URL, {**browser.keys, "endpoint": endpoint})
        assert answer.status_code == 422
    assert await count_rows(logins, "push_browser") == 0
