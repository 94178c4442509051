"""The settings of the plugin, `CHANNEL_WEBPUSH_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.hooks.environment import SECRET

# Chrome and its kin, Firefox, Safari, Edge.
DEFAULT_HOSTS = (
    "fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com"
)


class WebPushSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The key and how to use it.

    `contact` is a mail address that the push services may write to.
    """

    private_key: Annotated[
        str,
        Meta(
            description="what `python -m prawko_channel_webpush` printed; browsers that subscribed "
            "under another key get nothing until they switch messages on again"
        ),
        SECRET,
    ]
    contact: Annotated[
        str,
        Meta(pattern=r"\A[^@\s]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+\Z"),
        Meta(description="an address that the push services may write to about our messages"),
    ]
    hosts: Annotated[
        str,
        Meta(
            description="push services that messages are sent to, separated by commas; `*.` "
            "stands for any name below"
        ),
    ] = DEFAULT_HOSTS
