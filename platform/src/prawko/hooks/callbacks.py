"""A provider's call to us, as its plugin gets it to read."""

from collections.abc import Mapping
from datetime import datetime

import msgspec


class Callback(msgspec.Struct, frozen=True, kw_only=True):
    """One call, untouched. `body` is as it came over the wire, for signatures are made of that.

    The names of headers are in lower case. Where a header or a parameter came twice, neither
    is here: what means two things means nothing. `received_at` is the machine's time.
    """

    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
    received_at: datetime


class ForgedCallbackError(Exception):
    """The call is unsigned, signed by somebody else, or too old: nothing of it is kept."""


class GarbledCallbackError(Exception):
    """The call is the provider's and cannot be read: nothing of it is kept."""
