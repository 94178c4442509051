"""The settings of the plugin, `CHANNEL_SMSAPI_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL

from prawko.hooks.environment import SECRET


class SmsApiSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The account and how to use it.

    `sender` is a name registered for the account; without one its default is used. With `test`
    SMSAPI validates messages and sends none. `reports` is the URL for delivery reports,
    including its key.
    """

    token: Annotated[str, Meta(description="an OAuth token that may send SMS"), SECRET]
    sender: Annotated[
        str,
        Meta(max_length=11),
        Meta(description="a sender name registered for the account; empty: the account's"),
    ] = ""
    test: Annotated[bool, Meta(description="SMS are validated and not sent")] = False
    reports: Annotated[
        str,
        Meta(
            description="`https://<panel>/api/webhooks/smsapi?key=<32 or more random characters>`; "
            "without it no delivery reports are accepted"
        ),
        SECRET,
    ] = ""
    url: Annotated[URL, Meta(description="the address of the API")] = URL("https://api.smsapi.pl")
