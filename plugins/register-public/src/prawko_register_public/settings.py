"""The variables of the plugin, `REGISTER_PUBLIC_…`."""

from typing import Annotated

import msgspec

PREFIX = "REGISTER_PUBLIC"

# The key of a question is a person's data, however hashed: plain HTTP stays on this machine.
_ORIGIN = r"^(?:https://[^\s/@]+|http://(?:127\.0\.0\.1|localhost)(?::[0-9]+)?)/?\Z"


class Settings(msgspec.Struct, frozen=True):
    """Where the service is: `url` is its origin, `version` the part of the path that changes.

    `deadline` is seconds for a whole call; `largest` bytes of an answer.
    """

    url: Annotated[str, msgspec.Meta(pattern=_ORIGIN)]
    version: Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Za-z.-]+\Z")] = "2.0.10"
    deadline: Annotated[float, msgspec.Meta(gt=0, le=600)] = 10.0
    connections: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 16
    largest: Annotated[int, msgspec.Meta(ge=1024)] = 256 * 1024
