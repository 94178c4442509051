"""The settings of the plugin, `REGISTER_UPKI_…`."""

from typing import Annotated

import msgspec

from prawko.hooks.environment import SECRET

PREFIX = "REGISTER_UPKI"


class UpkiSettings(msgspec.Struct, frozen=True):
    """The access that the authority grants a carrier, and the limits of our calls.

    `p12` and `ca` are paths of files. Without `ca` the system's certificate authorities are
    trusted. `server_name` is the name in the server's certificate, for a `url` with a bare
    address. `deadline` is in seconds for a whole call; `connections` must leave room beside calls
    that hang until their deadline. `sign` adds a WS-Security signature with the key in `p12`.
    """

    url: Annotated[
        str,
        msgspec.Meta(pattern=r"^https://[^\s/]+/\S*\Z"),
        msgspec.Meta(description="the address of the service"),
    ]
    p12: Annotated[
        str,
        msgspec.Meta(description="the file with our certificate and its key (PKCS #12)"),
    ]
    p12_password: Annotated[str, msgspec.Meta(description="the password of that file"), SECRET]
    ca: Annotated[
        str | None,
        msgspec.Meta(description="a file of the authorities to trust; empty: the system's"),
    ] = None
    server_name: Annotated[
        str | None,
        msgspec.Meta(
            description="the name in the server's certificate, for an address without a name"
        ),
    ] = None
    deadline: Annotated[
        float,
        msgspec.Meta(gt=0, le=600),
        msgspec.Meta(description="seconds a call may take"),
    ] = 10.0
    connections: Annotated[
        int,
        msgspec.Meta(ge=1, le=1000),
        msgspec.Meta(
            description="connections of a process, with room beside calls that hang until their "
            "deadline"
        ),
    ] = 128
    sign: Annotated[
        bool,
        msgspec.Meta(description="adds a WS-Security signature with the key of `P12`"),
    ] = False


class UpkiCertificate(msgspec.Struct, frozen=True):
    """A further client certificate, `REGISTER_UPKI_2_…` to `REGISTER_UPKI_99_…`."""

    p12: Annotated[
        str,
        msgspec.Meta(description="the file with a further certificate, the access `upki-2`"),
    ]
    p12_password: Annotated[str, msgspec.Meta(description="the password of that file"), SECRET]
