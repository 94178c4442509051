"""What goes to a carrier goes to nobody else, once, and comes back bounded and in time."""

from collections.abc import AsyncIterator
from time import monotonic

import pytest
from aiohttp import web
from yarl import URL

from carriers import Carrier
from prawko.hooks.carrier_connection import CarrierConnection, CarrierReply, is_safe, unwell
from prawko.hooks.channels import DeliveryError
from prawko.hooks.failures import AccountError
from prawko_demo.register.certificates import write_files

pytestmark = pytest.mark.anyio


class Listener(Carrier):
    """Takes everything and notes who asked how."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str, bytes]] = []

    async def take(self, request: web.Request) -> web.Response:
        self.asked.append((request.method, request.path, await request.read()))
        return web.Response(text="taken", headers={"X-Id": "7", "Set-Cookie": "a=b"})


@pytest.fixture
async def listener() -> AsyncIterator[Listener]:
    made = Listener()
    async with made.listening():
        yield made


@pytest.fixture
async def connection() -> AsyncIterator[CarrierConnection]:
    made = CarrierConnection(deadline=0.3, headers={"Authorization": "Bearer key"})
    yield made
    await made.close()


async def post(connection: CarrierConnection, url: str) -> CarrierReply:
    return await connection.post(URL(url), b"body", media_type="text/x-test")


async def test_an_answer_arrives_whole(listener, connection) -> None:
    reply = await post(connection, f"{listener.url}/path")

    assert listener.asked == [("POST", "/path", b"body")]
    assert (reply.status, reply.body, reply.headers["x-id"]) == (200, b"taken", "7")
    assert unwell(reply) is None


async def test_a_redirect_is_followed_nowhere(listener, connection) -> None:
    listener.says(307, "", Location=f"{listener.url}/elsewhere")

    reply = await post(connection, f"{listener.url}/path")

    assert listener.calls == 1
    assert isinstance(unwell(reply), DeliveryError)


async def test_a_call_whose_line_broke_is_not_repeated(listener, connection) -> None:
    await post(connection, f"{listener.url}/path")  # the next one finds a kept connection
    listener.loses_its_answers = True

    with pytest.raises(DeliveryError, match="connection failed"):
        await post(connection, f"{listener.url}/path")
    assert listener.calls == 2


@pytest.mark.parametrize("method", ["GET", "PUT"])
async def test_a_question_whose_line_broke_is_not_repeated_either(
    listener, connection, method
) -> None:
    url = URL(f"{listener.url}/path")
    await connection.ask(method, url)
    listener.loses_its_answers = True

    with pytest.raises(DeliveryError, match="connection failed"):
        await connection.ask(method, url)
    assert [asked[0] for asked in listener.asked] == [method, method]


async def test_a_silent_carrier_is_left_at_the_deadline(listener, connection) -> None:
    listener.silent = True
    began = monotonic()

    with pytest.raises(DeliveryError, match=r"no answer within 0\.3 s"):
        await post(connection, f"{listener.url}/path")
    assert monotonic() - began < 5


async def test_our_key_goes_to_no_server_that_is_not_the_carriers(tmp_path, connection) -> None:
    stranger = Listener()
    async with stranger.listening(write_files(tmp_path).tls):
        with pytest.raises(AccountError, match="certificate"):
            await post(connection, stranger.url.replace("http:", "https:"))
    assert stranger.asked == []


async def test_a_server_that_speaks_no_tls_is_tried_again(listener, connection) -> None:
    with pytest.raises(DeliveryError):
        await post(connection, listener.url.replace("http:", "https:"))
    assert listener.asked == []


@pytest.mark.parametrize(
    ("status", "means"),
    [(200, None), (202, None), (302, False), (400, None), (401, AccountError),
     (402, AccountError), (403, AccountError), (404, None), (407, AccountError),
     (429, False), (500, False), (503, False)],
)  # fmt: skip
def test_a_status_means_the_same_at_every_carrier(status, means) -> None:
    failure = unwell(CarrierReply(status, {"retry-after": "7"}, b"words"))

    if means is None:
        assert failure is None
    elif means is AccountError:
        assert isinstance(failure, AccountError)
    else:
        assert isinstance(failure, DeliveryError)
        assert (failure.permanent, failure.retry_after) == (False, 7.0)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://api.sendgrid.com", True), ("http://127.0.0.1:1", True),
        ("http://localhost:1", True), ("http://api.sendgrid.com", False),
        ("http://127.0.0.1.example.com", False), ("ftp://127.0.0.1", False),
        ("https:///path", False), ("", False), ("/v3", False),
    ],
)  # fmt: skip
def test_a_key_travels_by_https_or_inside_the_machine(url, safe) -> None:
    assert is_safe(URL(url)) is safe
