"""A push service and a browser on this machine, which decrypt and check what they are sent."""

import base64
import json
import os
import time
from typing import Any

import http_ece
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from prawko.hooks.channels import PushSubscription
from support.servers.carriers import FakeServer

CONTACT = "powiadomienia@prawko.test"
PRIVATE_KEY = base64.urlsafe_b64encode(bytes(range(1, 33))).rstrip(b"=").decode()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class FakeBrowser:
    """A browser with the keys of one subscription; `messages` is what it showed."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.private_key = ec.generate_private_key(ec.SECP256R1())
        self.auth_secret = os.urandom(16)
        self.messages: list[dict[str, Any]] = []

    @property
    def keys(self) -> dict[str, str]:
        """The endpoint and keys that the panel sends of it."""
        point = self.private_key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        return {
            "endpoint": self.endpoint,
            "p256dh": _encode(point),
            "auth": _encode(self.auth_secret),
        }

    def subscription(self, server_key: str) -> PushSubscription:
        """Return the subscription that the channel is given."""
        return PushSubscription(**self.keys, server_key=server_key)

    def receive(self, body: bytes) -> None:
        """Decrypt a message."""
        decrypted = http_ece.decrypt(
            body, private_key=self.private_key, auth_secret=self.auth_secret, version="aes128gcm"
        )
        self.messages.append(json.loads(decrypted))


class FakePushService(FakeServer):
    """Takes messages for its browsers as RFC 8030 says, from who signs as RFC 8292 says."""

    def __init__(self) -> None:
        super().__init__()
        self.browsers: dict[str, FakeBrowser] = {}
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.status = 201

    def new_browser(self) -> FakeBrowser:
        """A browser that subscribed here."""
        path = f"/push/{len(self.browsers)}"
        self.browsers[path] = FakeBrowser(self.url + path)
        return self.browsers[path]

    async def handle_request(self, request: web.Request) -> web.Response:
        assert request.method == "POST"
        authorization = request.headers["Authorization"]
        if not Vapid02.verify(authorization):
            return web.Response(status=401, text="the signature is wrong")
        claims = read_claims(authorization)
        assert claims["aud"] == self.url
        assert claims["sub"] == f"mailto:{CONTACT}"
        assert time.time() < claims["exp"] <= time.time() + 24 * 3600
        browser = self.browsers.get(request.path)
        if browser is None:
            return web.Response(status=410, text="no such subscription")
        if self.status == 201:
            body = await request.read()
            self.headers.append(dict(request.headers))
            self.bodies.append(body)
            browser.receive(body)
        return web.Response(status=self.status, headers={"Location": f"{self.url}/message/1"})


def read_claims(authorization: str) -> dict[str, Any]:
    """Return the claims of an Authorization header's token."""
    token = authorization.removeprefix("vapid t=").partition(",")[0]
    payload = token.split(".")[1]
    claims: dict[str, Any] = json.loads(
        base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
    )
    return claims
