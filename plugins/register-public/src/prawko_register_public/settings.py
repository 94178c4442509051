"""The settings of the plugin, `REGISTER_PUBLIC_…`."""

from typing import Annotated

import msgspec

PREFIX = "REGISTER_PUBLIC"

# A search key is personal data, although hashed: plain HTTP is for this machine alone.
_ORIGIN = r"^(?:https://[^\s/@]+|http://(?:127\.0\.0\.1|localhost)(?::[0-9]+)?)/?\Z"


class PublicRegisterSettings(msgspec.Struct, frozen=True):
    """The location of the service: `url` is its origin, `version` a part of its paths.

    `deadline` is in seconds for a whole call.
    """

    url: Annotated[
        str,
        msgspec.Meta(pattern=_ORIGIN),
        msgspec.Meta(description="the origin of the service"),
    ]
    version: Annotated[
        str,
        msgspec.Meta(pattern=r"^[0-9A-Za-z.-]+\Z"),
        msgspec.Meta(description="the version in its paths"),
    ] = "2.0.10"
    deadline: Annotated[
        float,
        msgspec.Meta(gt=0, le=600),
        msgspec.Meta(description="seconds a call may take"),
    ] = 10.0
    connections: Annotated[
        int,
        msgspec.Meta(ge=1, le=1000),
        msgspec.Meta(description="connections of a process"),
    ] = 16
