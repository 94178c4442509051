"""The browsers in which a person has entered the password, known by a signed cookie (decision 17).

The cookie opens no session. The wrong passwords of a known browser are counted separately from
strangers', and its sign-ins wait before theirs. Without the password the cookie is useless.
"""

import hmac
import secrets
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from prawko.accounts.models import UserAccount
from prawko.kit.clock import utc_now
from prawko.kit.crypto import KeyRing
from prawko_tenants.ids import UserId

KNOWN_BROWSER_LIFETIME = timedelta(days=90)  # renewed by each sign-in
MAX_PEOPLE = 5  # of one browser; those who signed in last are kept
_PAYLOAD = struct.Struct(">16s8sIQ")  # person, browser, generation, end in Unix time
_PURPOSE = "known_browser"
_MAX_COOKIE_LENGTH = 1024


class KnownBrowser(msgspec.Struct, frozen=True):
    """A browser in which a person has proved the password.

    It is known while the account's `browser_generation` is this one.
    """

    user_id: UserId
    browser_id: bytes
    generation: int
    expires_at: int

    @property
    def subject(self) -> str:
        """Return what wrong passwords from this browser are counted as."""
        return f"{self.user_id} {self.browser_id.hex()}"

    @property
    def account_subject(self) -> str:
        """Return what tries from all known browsers of the account are counted as together.

        Each link of a password reset makes another browser known.
        """
        return f"{self.user_id} known"


def find_known_browser(
    browsers: Sequence[KnownBrowser], user_id: UserId, generation: int
) -> KnownBrowser | None:
    """Return the browser if the person's account, at this generation, knows it."""
    for browser in browsers:
        if browser.user_id == user_id and browser.generation == generation:
            return browser
    return None


def parse_known_browsers(
    key_ring: KeyRing, cookie: str, system_now: datetime
) -> tuple[KnownBrowser, ...]:
    """Return what a cookie proves; entries that are forged, damaged or expired are left out."""
    if not cookie or len(cookie) > _MAX_COOKIE_LENGTH or not cookie.isascii():
        return ()
    entries = (_parse_entry(key_ring, entry) for entry in cookie.split("~")[:MAX_PEOPLE])
    moment = system_now.timestamp()
    return tuple(entry for entry in entries if entry is not None and moment < entry.expires_at)


def _parse_entry(key_ring: KeyRing, entry: str) -> KnownBrowser | None:
    payload, _, signature = entry.partition(".")
    if not hmac.compare_digest(_sign(key_ring, payload), signature):
        return None
    try:
        user_id, browser_id, generation, expires_at = _PAYLOAD.unpack(urlsafe_b64decode(payload))
    except (Error, ValueError, struct.error):
        return None
    return KnownBrowser(UserId(UUID(bytes=user_id)), browser_id, generation, expires_at)


def _sign(key_ring: KeyRing, payload: str) -> str:
    return urlsafe_b64encode(key_ring.digest(_PURPOSE, payload)).decode()


async def remember_browser(
    session: AsyncSession, key_ring: KeyRing, browsers: Sequence[KnownBrowser], user_id: UserId
) -> str:
    """Return the cookie with which the person's account knows this browser from now on.

    `browsers` is what its cookie proved so far. The caller has seen the password, or a link that
    came by mail, in this transaction.
    """
    generation = await session.scalar(
        select(UserAccount.browser_generation).where(UserAccount.id == user_id)
    )
    known = next((browser for browser in browsers if browser.user_id == user_id), None)
    latest = KnownBrowser(
        user_id=user_id,
        browser_id=known.browser_id if known else secrets.token_bytes(8),
        generation=generation or 0,
        expires_at=int((utc_now() + KNOWN_BROWSER_LIFETIME).timestamp()),
    )
    others = [browser for browser in browsers if browser.user_id != user_id]
    return encode_known_browsers(key_ring, [latest, *others][:MAX_PEOPLE])


def encode_known_browsers(key_ring: KeyRing, browsers: Sequence[KnownBrowser]) -> str:
    """Return the cookie's value."""
    payloads = [
        urlsafe_b64encode(
            _PAYLOAD.pack(
                browser.user_id.bytes, browser.browser_id, browser.generation, browser.expires_at
            )
        ).decode()
        for browser in browsers
    ]
    return "~".join(f"{payload}.{_sign(key_ring, payload)}" for payload in payloads)
