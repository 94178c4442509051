"""Resolves the client's IP address behind reverse proxies.

`X-Forwarded-For` is trusted only from the addresses and networks in TRUSTED_PROXIES.
"""

from collections.abc import Iterable, Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from litestar.types import HTTPScope

Networks = tuple[IPv4Network | IPv6Network, ...]
MAPPED_PREFIX = 96  # of ::ffff:0:0/96, the IPv4 addresses as a socket for both kinds shows them


def parse_networks(setting: str) -> Networks:
    """Parse addresses or networks separated by commas. Raises ValueError."""
    return tuple(_parse_network(item.strip()) for item in setting.split(",") if item)


def _parse_network(text: str) -> IPv4Network | IPv6Network:
    """Parse a network; one of IPv4 addresses written as IPv6 is the IPv4 network."""
    network = ip_network(text, strict=False)
    if isinstance(network, IPv6Network) and network.prefixlen >= MAPPED_PREFIX:
        mapped = network.network_address.ipv4_mapped
        if mapped is not None:
            return IPv4Network((mapped, network.prefixlen - MAPPED_PREFIX))
    return network


def find_client_ip(scope: HTTPScope, trusted: Networks) -> str:
    """Return the address of a request's client, by `resolve_client_ip`; empty without a peer."""
    peer = scope["client"][0] if scope["client"] else ""
    forwarded = [
        value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"
    ]
    return resolve_client_ip(peer, forwarded, trusted)


def resolve_client_ip(peer_ip: str, forwarded: Sequence[str], trusted: Networks) -> str:
    """Return the peer's address, or behind trusted proxies the last untrusted one of the chain.

    `forwarded` are the lines of the header in order: some proxies add a line instead of
    extending the client's. Addresses before the last untrusted one may be forged. Text that is no
    address ends the chain at the proxy that forwarded it.
    """
    nearest = _parse_address(peer_ip) or peer_ip
    if not _is_trusted(nearest, trusted):
        return nearest
    for item in reversed(list(_split_items(forwarded))):
        address = _parse_address(item)
        if address is None:
            return nearest
        nearest = address
        if not _is_trusted(address, trusted):
            return address
    return nearest


def _split_items(lines: Iterable[str]) -> Iterable[str]:
    return (item.strip() for line in lines for item in line.split(",") if item.strip())


def _parse_address(item: str) -> str | None:
    """Parse an address as proxies write it: bare, with a port, or in brackets."""
    bare = item.removeprefix("[").partition("]")[0] if item.startswith("[") else item
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return str(_unmapped(ip_address(bare)))
    except ValueError:
        return None


def _unmapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _is_trusted(text: str, trusted: Networks) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in trusted)
