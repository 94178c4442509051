"""SendGrid and SMSAPI as their documents describe them, on a real socket of this machine."""

import asyncio
import base64
import json
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from prawko.base.clock import machine_now
from prawko.hooks.callbacks import Callback
from prawko.hooks.channels import Channel
from prawko.testing.channel_contract import RemoteChannelContract

REPORT_KEY = "k" * 40
REPORTS = f"https://panel.prawko.test/api/webhooks/smsapi?key={REPORT_KEY}"


class Carrier:
    """What somebody's server saw, and what goes wrong with it where a test says so."""

    def __init__(self) -> None:
        self.calls = 0
        self.instead: web.Response | None = None
        self.silent = False
        self.loses_its_answers = False
        self.port = 0
        self._closing = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def says(self, status: int, body: object = None, **headers: str) -> None:
        """Answer this to everything from now on, and take nothing."""
        text = body if isinstance(body, str) else json.dumps(body or {})
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.instead = web.Response(status=status, text=text, headers=named)

    def works(self) -> None:
        self.instead, self.silent, self.loses_its_answers = None, False, False

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.calls += 1
        if self.silent:
            await self._closing.wait()
        if self.instead is not None:
            return web.Response(
                status=self.instead.status, text=self.instead.text, headers=self.instead.headers
            )
        answer = await self.take(request)
        if self.loses_its_answers and request.transport is not None:
            request.transport.abort()
        return answer

    async def take(self, request: web.Request) -> web.Response:
        raise NotImplementedError

    @asynccontextmanager
    async def listening(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[None]:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self.handle)
        runner = web.AppRunner(app, shutdown_timeout=1.0)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
        await site.start()
        self.port = runner.addresses[0][1]
        try:
            yield
        finally:
            self._closing.set()
            await runner.cleanup()


class CarrierContract(RemoteChannelContract):
    """The promises of every channel that talks to one of these.

    A subclass says how a channel to a server is made, and which setting the carrier refuses.
    """

    made: Callable[..., Channel]
    refused: tuple[str, str]

    @pytest.fixture
    async def opens(self, server: Carrier) -> AsyncIterator[Callable[..., Channel]]:
        """Makes channels that are closed in the end."""
        opened: list[Channel] = []

        def open_one(**settings: str) -> Channel:
            opened.append(type(self).made(server, **settings))
            return opened[-1]

        yield open_one
        for channel in opened:
            await channel.close()

    @pytest.fixture
    def channel(self, opens) -> Channel:
        return opens()

    @pytest.fixture
    def broken_channel(self, server, channel) -> Channel:
        server.says(503)
        return channel

    @pytest.fixture
    def refusing_channel(self, opens) -> Channel:
        return opens(**dict([self.refused]))

    @pytest.fixture
    def silent_channel(self, server, opens) -> Channel:
        server.silent = True
        return opens(DEADLINE="0.3")


class FakeSendGrid(Carrier):
    """Takes mails; cannot tell a retry from a new one. Signs its events."""

    def __init__(self) -> None:
        super().__init__()
        self.mails: list[dict] = []
        self.key = generate_private_key(SECP256R1())

    async def take(self, request: web.Request) -> web.Response:
        if (request.method, request.path) != ("POST", "/v3/mail/send"):
            return web.json_response({"errors": [{"message": "not found"}]}, status=404)
        if request.headers.get("Authorization") != "Bearer SG.key":
            words = "The provided authorization grant is invalid, expired, or revoked"
            return web.json_response({"errors": [{"message": words, "field": None}]}, status=401)
        mail = await request.json()
        if fault := self.fault(mail):
            return web.json_response({"errors": [fault]}, status=400)
        self.mails.append(mail)
        if mail["mail_settings"]["sandbox_mode"]["enable"]:
            return web.Response(status=200)
        reference = f"msg-{len(self.mails)}"
        return web.Response(status=202, headers={"X-Message-Id": reference})

    @staticmethod
    def fault(mail: dict) -> dict | None:
        [personalization] = mail["personalizations"]
        [to] = personalization["to"]
        if "nobody" in to["email"]:
            field = "personalizations.0.to.0.email"
            return {"message": "Does not contain a valid address.", "field": field}
        if not mail["from"]["email"].endswith("@prawko.test"):
            return {"message": "The from address is not verified", "field": "from.email"}
        plain, html = mail["content"]
        assert (plain["type"], html["type"]) == ("text/plain", "text/html")
        assert plain["value"]
        assert html["value"]
        assert all(isinstance(value, str) for value in personalization["custom_args"].values())
        assert "\n" not in mail["subject"]
        return None

    @property
    def keys(self) -> list[str]:
        """Our key of each mail taken, in order."""
        return [
            mail["personalizations"][0]["custom_args"]["prawko_delivery"] for mail in self.mails
        ]

    @property
    def public_key(self) -> str:
        """The verification key as the settings page shows it."""
        info = self.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return base64.b64encode(info).decode()

    def signed(
        self,
        events: object,
        *,
        age: float = 0.0,
        key: EllipticCurvePrivateKey | None = None,
    ) -> tuple[bytes, dict[str, str]]:
        """The body and the headers of a call of the signed event webhook."""
        body = events if isinstance(events, bytes) else json.dumps(events).encode()
        timestamp = str(int(machine_now().timestamp() - age))
        signature = (key or self.key).sign(timestamp.encode() + body, ECDSA(SHA256()))
        return body, {
            "content-type": "application/json",
            "x-twilio-email-event-webhook-signature": base64.b64encode(signature).decode(),
            "x-twilio-email-event-webhook-timestamp": timestamp,
        }

    def callback(self, events: object, **how: object) -> Callback:
        """The same as the plugin gets it."""
        body, headers = self.signed(events, **how)
        return Callback(headers=headers, query={}, body=body, received_at=machine_now())


def event(key: str, happened: str = "delivered", **more: object) -> dict:
    """An event of SendGrid's, as its reference shows it; `id` and `at` are its id and time."""
    about = {
        "email": "anna@acme.test",
        "timestamp": int(machine_now().timestamp()),
        "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
        "event": happened,
        "sg_event_id": f"{happened}-{key}",
        "sg_message_id": "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
        "prawko_delivery": key,
        "tls": 1,
        "category": ["x"],
    }
    return {**about, **more}


class FakeSmsApi(Carrier):
    """Takes SMS, each index once."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self.seen: Counter[str] = Counter()

    async def take(self, request: web.Request) -> web.Response:
        if (request.method, request.path) != ("POST", "/sms.do"):
            return web.Response(status=404, text="not found")
        if request.headers.get("Authorization") != "Bearer token":
            words = {"message": "Authorization failed", "error": 101}
            return web.json_response(words, status=401)
        form = {name: str(value) for name, value in (await request.post()).items()}
        if error := self.error(form):
            return web.json_response({"error": error, "message": f"ERROR:{error}"})
        index = form["idx"]
        self.seen[index] += 1
        if form.get("check_idx") == "1" and self.seen[index] > 1:
            return web.json_response({"error": 53, "message": "Not unique idx parameter"})
        self.forms.append(form)
        message = {
            "id": f"60B{len(self.forms)}", "points": 0.16, "number": form["to"],
            "date_sent": 1795240000, "submitted_number": form["to"], "status": "QUEUE",
            "error": None, "idx": index, "parts": 1,
        }  # fmt: skip
        answer = {"count": 1, "list": [message], "message": form["message"], "parts": 1}
        return web.json_response(answer)

    @staticmethod
    def error(form: dict[str, str]) -> int | None:
        if form["to"] == "48600000000":
            return 13
        if not (form["to"].isdigit() and form["to"].startswith("48")):
            return 13
        if len(form["message"]) > 160 or not form["message"].isascii():
            return 12
        if form.get("format") != "json" or form.get("encoding") != "utf-8":
            return 11
        return 14 if form.get("from", "Prawko") != "Prawko" else None


def smsapi_index(key: str) -> str:
    return base64.b32encode(key.encode()).decode().rstrip("=").lower()


def smsapi_query(*messages: tuple[str, int, str], key: str = REPORT_KEY) -> dict[str, str]:
    """The query of SMSAPI's report: of each message its id, its status and its index."""
    return {
        "key": key,
        "MsgId": ",".join(message for message, _, _ in messages),
        "status": ",".join(str(status) for _, status, _ in messages),
        "idx": ",".join(index for _, _, index in messages),
        "donedate": ",".join("1795240123" for _ in messages),
        "username": "prawko",
    }
