"""The variables of the plugin, `REGISTER_UPKI_…`."""

from typing import Annotated

import msgspec

PREFIX = "REGISTER_UPKI"


class Settings(msgspec.Struct, frozen=True):
    """What the authority hands to a carrier, and how hard we may lean on its service.

    `p12` and `ca` are paths of files. Without `ca` the system's certificate authorities are
    trusted. `server_name` is the name in the server's certificate, for an `url` that holds
    an address only. `deadline` is seconds for a whole call; `largest` bytes of an answer;
    `connections` enough that calls nobody answers leave room for the others.
    `sign` adds a WS-Security signature with the key of `p12`.
    """

    url: Annotated[str, msgspec.Meta(pattern=r"^https://[^\s/]+/\S*\Z")]
    p12: str
    p12_password: str
    ca: str | None = None
    server_name: str | None = None
    deadline: Annotated[float, msgspec.Meta(gt=0, le=600)] = 10.0
    connections: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 128
    largest: Annotated[int, msgspec.Meta(ge=1024)] = 256 * 1024
    sign: bool = False
