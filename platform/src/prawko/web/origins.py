"""Where a request really comes from, when proxies of our own stand in front.

What `X-Forwarded-For` says is believed from the addresses and networks of TRUSTED_PROXIES
alone; from anybody else it is a made-up story.
"""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

Networks = tuple[IPv4Network | IPv6Network, ...]


def read_networks(setting: str) -> Networks:
    """The trusted proxies, addresses or networks separated by commas. Raises ValueError."""
    return tuple(ip_network(item.strip(), strict=False) for item in setting.split(",") if item)


def client_address(peer: str, forwarded: Sequence[str], trusted: Networks) -> str:
    """The caller's address: the peer's, or behind our proxies the last stranger's in the chain.

    `forwarded` are the header's lines as they came: some proxies add a line of their own
    instead of continuing the caller's. Further back than the last stranger anything may be
    made up; what is no address at all ends the chain at the proxy that passed it on.
    """
    if not _is_one_of(peer, trusted):
        return peer
    nearest = peer
    for item in reversed(list(_listed(forwarded))):
        address = _address(item)
        if address is None:
            return nearest
        nearest = address
        if not _is_one_of(address, trusted):
            return address
    return nearest


def _listed(lines: Iterable[str]) -> Iterable[str]:
    return (item.strip() for line in lines for item in line.split(",") if item.strip())


def _address(item: str) -> str | None:
    """An address as proxies write it: bare, with a port, or in brackets."""
    bare = item.removeprefix("[").partition("]")[0] if item.startswith("[") else item
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return str(ip_address(bare))
    except ValueError:
        return None


def _is_one_of(text: str, trusted: Networks) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in trusted)
