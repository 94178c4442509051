"""The settings of the plugin, `REGISTER_PUBLIC_…`."""

from typing import Annotated

import msgspec

PREFIX = "REGISTER_PUBLIC"

# A search key is personal data, although hashed: plain HTTP is for this machine alone.
_ORIGIN = r"^(?:https://[^\s/@]+|http://(?:127\.0\.0\.1|localhost)(?::[0-9]+)?)/?\Z"


class PublicRegisterSettings(msgspec.Struct, frozen=True):
    """The location of the service: `url` is its origin, `version` a part of its paths.

    `deadline` is in seconds for a whole call; `largest` is the longest response in bytes.
    """

    url: Annotated[str, msgspec.Meta(pattern=_ORIGIN)]
    version: Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Za-z.-]+\Z")] = "2.0.10"
    deadline: Annotated[float, msgspec.Meta(gt=0, le=600)] = 10.0
    connections: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 16
    largest: Annotated[int, msgspec.Meta(ge=1024)] = 256 * 1024
