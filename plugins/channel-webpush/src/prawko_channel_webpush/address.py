"""Recognises addresses of push services, because a client may send any address."""

import re
from collections.abc import Sequence

from yarl import URL

from prawko.hooks.urls import LOOPBACK_HOSTS, parse_secure_url

_HOST = re.compile(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*", re.ASCII)
# RFC 1123: what resolvers and HTTP clients take as a name without an error.
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_HOST_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*", re.ASCII)


def parse_hosts(text: str) -> tuple[str, ...] | None:
    """Return the hosts of a list; None for a malformed one, or one without any.

    No address of a machine is a push service, but for this machine's own, which tests use.
    """
    hosts = tuple(filter(None, (host.strip().lower() for host in text.split(","))))
    fit = all(_HOST.fullmatch(host) or host in LOOPBACK_HOSTS for host in hosts)
    return hosts if hosts and fit else None


def parse_endpoint(text: str, hosts: Sequence[str]) -> URL | None:
    """Return the endpoint if it is one of a push service of `hosts`, by https; else None.

    Neither a port nor a user is accepted, nor a text that parsers could read in two ways, nor a
    host that is no host name. The URL is called as the browser wrote it: the address is the push
    service's own.
    """
    if not (text.isascii() and text.isprintable()) or {"\\", " "} & set(text):
        return None
    url = parse_secure_url(text)
    if url is None or url.host is None or url.user is not None or url.password is not None:
        return None
    if url.host in LOOPBACK_HOSTS:
        return URL(text, encoded=True) if url.host in hosts else None
    if url.explicit_port is not None or not _HOST_NAME.fullmatch(url.host):
        return None
    if not any(_matches(url.host, host) for host in hosts):
        return None
    return URL(text, encoded=True)


def _matches(host: str, pattern: str) -> bool:
    if pattern.startswith("*."):
        return host.endswith(pattern[1:]) and len(host) >= len(pattern)
    return host == pattern
