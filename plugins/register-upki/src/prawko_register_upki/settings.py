"""The settings of the plugin, `REGISTER_UPKI_…`."""

from typing import Annotated

import msgspec

PREFIX = "REGISTER_UPKI"


class UpkiSettings(msgspec.Struct, frozen=True):
    """The access that the authority grants a carrier, and the limits of our calls.

    `p12` and `ca` are paths of files. Without `ca` the system's certificate authorities are
    trusted. `server_name` is the name in the server's certificate, for a `url` with a bare
    address. `deadline` is in seconds for a whole call, `largest` the longest response in bytes;
    `connections` must leave room beside calls that hang until their deadline. `sign` adds a
    WS-Security signature with the key in `p12`.
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
