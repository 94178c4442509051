"""The settings of the plugin, `CHANNEL_SMSAPI_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL


class SmsApiSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The account and how to use it.

    `sender` is a name registered for the account; without one its default is used. With `test`
    SMSAPI validates messages and sends none. `reports` is the URL for delivery reports,
    including its key. `deadline` is in seconds for a whole call.
    """

    token: str
    sender: Annotated[str, Meta(max_length=11)] = ""
    test: bool = False
    reports: str = ""
    url: URL = URL("https://api.smsapi.pl")
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0
