"""Resolves the client's IP address behind reverse proxies.

`X-Forwarded-For` is trusted only from the addresses and networks in TRUSTED_PROXIES.
"""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

Networks = tuple[IPv4Network | IPv6Network, ...]


def parse_networks(setting: str) -> Networks:
    """Parse addresses or networks separated by commas. Raises ValueError."""
    return tuple(ip_network(item.strip(), strict=False) for item in setting.split(",") if item)


def resolve_client_ip(peer_ip: str, forwarded: Sequence[str], trusted: Networks) -> str:
    """Return the peer's address, or behind trusted proxies the last untrusted one of the chain.

    `forwarded` are the lines of the header in order: some proxies add a line instead of
    extending the client's. What precedes the last untrusted address may be forged. Text that is
    no address ends the chain at the proxy that forwarded it.
    """
    if not _is_trusted(peer_ip, trusted):
        return peer_ip
    nearest = peer_ip
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
        return str(ip_address(bare))
    except ValueError:
        return None


def _is_trusted(text: str, trusted: Networks) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in trusted)
