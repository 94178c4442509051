"""A provider's HTTP call to the platform, as its plugin parses it."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

MAX_EVENT_ID_LENGTH = 400
"""The longest event id, in characters, that a plugin may return."""


class WebhookRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One call, unmodified: signatures cover `body` as it arrived.

    Names of headers are in lower case. A header or parameter that occurs twice is left out,
    because its value is ambiguous. `received_at` is the system clock's time, in UTC.
    """

    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
    received_at: datetime


class WebhookVerificationError(Exception):
    """The call has no valid signature or is too old. Answered 401; nothing is stored."""


class MalformedWebhookError(Exception):
    """The call is verified but cannot be parsed. Answered 400; nothing is stored."""
