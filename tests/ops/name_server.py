"""A DNS server on loopback, as a container engine has one: it knows where processes run."""

import asyncio
import ipaddress
import struct
from typing import Self

_TYPE_A, _CLASS_IN = 1, 1
_RESPONSE, _NAME_ERROR = 0x8580, 0x8583
_NAME_OF_QUESTION = 0xC00C  # a pointer to it
_TTL_SECONDS = 1


class NameServer(asyncio.DatagramProtocol):
    """Answers with the addresses in `names`, which a test changes while processes come and go."""

    def __init__(self) -> None:
        self.names: dict[str, set[str]] = {}
        self.address = ""

    async def __aenter__(self) -> Self:
        self._transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: self, ("127.0.0.1", 0)
        )
        self.address = "{}:{}".format(*self._transport.get_extra_info("sockname"))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._transport.close()

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        name, end = _parse_name(data)
        kind = struct.unpack_from("!H", data, end)[0]
        found = sorted(self.names.get(name, ())) if kind == _TYPE_A else []
        flags = _RESPONSE if name in self.names else _NAME_ERROR
        header = data[:2] + struct.pack("!HHHHH", flags, 1, len(found), 0, 0)
        answers = b"".join(
            struct.pack("!HHHLH", _NAME_OF_QUESTION, _TYPE_A, _CLASS_IN, _TTL_SECONDS, 4)
            + ipaddress.IPv4Address(ip).packed
            for ip in found
        )
        self._transport.sendto(header + data[12 : end + 4] + answers, address)


def _parse_name(query: bytes) -> tuple[str, int]:
    """Return the name of the question and where it ends."""
    labels, place = [], 12
    while size := query[place]:
        labels.append(query[place + 1 : place + 1 + size].decode())
        place += size + 1
    return ".".join(labels), place + 1
