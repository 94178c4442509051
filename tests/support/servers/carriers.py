"""Fakes of SendGrid and SMSAPI as their documents describe them, on real sockets."""

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

from prawko.hooks.channels import Channel, Recipient
from prawko.hooks.webhooks import WebhookRequest
from prawko.kit.clock import utc_now
from prawko_testing.channel_contract import RemoteChannelContract

REPORTS_KEY = "k" * 40
REPORTS_URL = f"https://panel.prawko.test/api/webhooks/smsapi?key={REPORTS_KEY}"


class FakeServer:
    """An HTTP server that a test can make fail, hang or drop its responses."""

    def __init__(self) -> None:
        self.calls = 0
        self.forced_response: web.Response | None = None
        self.hangs = False
        self.drops_responses = False
        self.port = 0
        self._closing = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def respond_with(self, status: int, body: object = None, **headers: str) -> None:
        """Answer every request with this from now on, without handling it."""
        text = body if isinstance(body, str) else json.dumps(body or {})
        by_name = {name.replace("_", "-"): value for name, value in headers.items()}
        self.forced_response = web.Response(status=status, text=text, headers=by_name)

    def recover(self) -> None:
        self.forced_response, self.hangs, self.drops_responses = None, False, False

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.calls += 1
        if self.hangs:
            await self._closing.wait()
        if self.forced_response is not None:
            return web.Response(
                status=self.forced_response.status,
                text=self.forced_response.text,
                headers=self.forced_response.headers,
            )
        answer = await self.handle_request(request)
        if self.drops_responses and request.transport is not None:
            request.transport.abort()
        return answer

    async def handle_request(self, request: web.Request) -> web.Response:
        raise NotImplementedError

    @asynccontextmanager
    async def serve(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[None]:
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


class ServerChannelContract(RemoteChannelContract):
    """The contract of a channel that calls one of these servers.

    A subclass names the function that creates a channel, the module with its deadline, the setting
    that the carrier refuses, the secrets, and whom the carrier reaches and rejects.
    """

    create_channel: Callable[..., Channel]
    module: str
    bad_setting: tuple[str, str]
    secret_values: tuple[str, ...]
    recipients: tuple[Recipient, Recipient]

    @pytest.fixture
    def secrets(self) -> tuple[str, ...]:
        return self.secret_values

    @pytest.fixture
    def recipient(self) -> Recipient:
        return self.recipients[0]

    @pytest.fixture
    def rejected_recipient(self) -> Recipient:
        return self.recipients[1]

    @pytest.fixture
    async def open_channel(self, server: FakeServer) -> AsyncIterator[Callable[..., Channel]]:
        """Create channels that are closed at the end of the test."""
        open_channels: list[Channel] = []

        def create(**settings: str) -> Channel:
            open_channels.append(type(self).create_channel(server, **settings))
            return open_channels[-1]

        yield create
        for channel in open_channels:
            await channel.close()

    @pytest.fixture
    def channel(self, open_channel) -> Channel:
        return open_channel()

    @pytest.fixture
    def unreachable_channel(self, server, channel) -> Channel:
        server.respond_with(503)
        return channel

    @pytest.fixture
    def unauthorized_channel(self, open_channel) -> Channel:
        return open_channel(**dict([self.bad_setting]))

    @pytest.fixture
    def unresponsive_channel(self, server, open_channel, monkeypatch) -> Channel:
        server.hangs = True
        monkeypatch.setattr(f"{self.module}.DEADLINE_SECONDS", 0.3)
        return open_channel()


class FakeSendGrid(FakeServer):
    """Accepts mails without detecting repeated ones, and signs its events."""

    def __init__(self) -> None:
        super().__init__()
        self.mails: list[dict] = []
        self.scopes = ["2fa_exempt", "mail.batch.create", "mail.send"]
        self.signing_key = generate_private_key(SECP256R1())

    async def handle_request(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != "Bearer SG.key":
            text = "The provided authorization grant is invalid, expired, or revoked"
            return web.json_response({"errors": [{"message": text, "field": None}]}, status=401)
        if (request.method, request.path) == ("GET", "/v3/scopes"):
            return web.json_response({"scopes": self.scopes})
        if (request.method, request.path) != ("POST", "/v3/mail/send"):
            return web.json_response({"errors": [{"message": "not found"}]}, status=404)
        mail = await request.json()
        if error := self.mail_error(mail):
            return web.json_response({"errors": [error]}, status=400)
        self.mails.append(mail)
        if mail["mail_settings"]["sandbox_mode"]["enable"]:
            return web.Response(status=200)
        reference = f"msg-{len(self.mails)}"
        return web.Response(status=202, headers={"X-Message-Id": reference})

    @staticmethod
    def mail_error(mail: dict) -> dict | None:
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
    def delivery_keys(self) -> list[str]:
        """The idempotency keys of the accepted mails, in order."""
        return [
            mail["personalizations"][0]["custom_args"]["prawko_delivery"] for mail in self.mails
        ]

    @property
    def public_key(self) -> str:
        """The verification key as SendGrid's settings page shows it."""
        info = self.signing_key.public_key().public_bytes(
            Encoding.DER, PublicFormat.SubjectPublicKeyInfo
        )
        return base64.b64encode(info).decode()

    def sign(
        self, events: object, *, age: float = 0.0, key: EllipticCurvePrivateKey | None = None
    ) -> tuple[bytes, dict[str, str]]:
        """Return the body and the headers of a signed event webhook."""
        body = events if isinstance(events, bytes) else json.dumps(events).encode()
        timestamp = str(int(utc_now().timestamp() - age))
        signature = (key or self.signing_key).sign(timestamp.encode() + body, ECDSA(SHA256()))
        return body, {
            "content-type": "application/json",
            "x-twilio-email-event-webhook-signature": base64.b64encode(signature).decode(),
            "x-twilio-email-event-webhook-timestamp": timestamp,
        }

    def webhook_request(self, events: object, **options: object) -> WebhookRequest:
        """Return a signed event webhook as the plugin gets it."""
        body, headers = self.sign(events, **options)
        return WebhookRequest(headers=headers, query={}, body=body, received_at=utc_now())


def sendgrid_event(key: str, event: str = "delivered", **fields: object) -> dict:
    """Return an event as SendGrid's reference shows it."""
    defaults = {
        "email": "anna@acme.test",
        "timestamp": int(utc_now().timestamp()),
        "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
        "event": event,
        "sg_event_id": f"{event}-{key}",
        "sg_message_id": "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
        "prawko_delivery": key,
        "tls": 1,
        "category": ["x"],
    }
    return {**defaults, **fields}


class FakeSmsApi(FakeServer):
    """Accepts SMS, each index once."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self.index_counts: Counter[str] = Counter()
        self.points: object = "95.0800"

    async def handle_request(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != "Bearer token":
            error_body = {"message": "Authorization failed", "error": 101}
            return web.json_response(error_body, status=401)
        if (request.method, request.path) == ("GET", "/user.do"):
            assert request.query["credits"] == "1"
            return web.json_response({"points": self.points, "proCount": 594, "ecoCount": 704})
        if (request.method, request.path) != ("POST", "/sms.do"):
            return web.Response(status=404, text="not found")
        form = {name: str(value) for name, value in (await request.post()).items()}
        if error := self.form_error(form):
            return web.json_response({"error": error, "message": f"ERROR:{error}"})
        index = form["idx"]
        self.index_counts[index] += 1
        if form.get("check_idx") == "1" and self.index_counts[index] > 1:
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
    def form_error(form: dict[str, str]) -> int | None:
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


def smsapi_query(*messages: tuple[str, int, str], key: str = REPORTS_KEY) -> dict[str, str]:
    """Return the query of a delivery report: id, status and index of each message."""
    return {
        "key": key,
        "MsgId": ",".join(message for message, _, _ in messages),
        "status": ",".join(str(status) for _, status, _ in messages),
        "idx": ",".join(index for _, _, index in messages),
        "donedate": ",".join("1795240123" for _ in messages),
        "username": "prawko",
    }
