"""How often something may be tried: tight for an account, generous for a network.

Many people share one network's address, so what is counted by it stops floods only. The table
in docs/operations.md is compared with this module by a test.
"""

from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from prawko.accounts.throttle import Limit
from prawko.base.settings import Settings

QUARTER = timedelta(minutes=15)
HOUR = timedelta(hours=1)
IPV6_CUSTOMER = 64  # one customer holds at least so much of it

EMAIL_CODES = Limit("email_code", 5, QUARTER)
EMAIL_CODE_TRIES = Limit("verify_email", 30, QUARTER)
WRONG_PASSWORDS = Limit("change_password", 10, QUARTER)


def login_per_account(settings: Settings) -> Limit:
    """Wrong passwords of an account."""
    return Limit("login", settings.login_tries_per_account, QUARTER)


def login_per_network(settings: Settings) -> Limit:
    """Wrong passwords from one network."""
    return Limit("login_address", settings.login_tries_per_address, QUARTER)


def sign_ups_per_network(settings: Settings) -> Limit:
    """Accounts opened from one network."""
    return Limit("register", settings.registrations_per_address, QUARTER)


def sign_ups_per_email(settings: Settings) -> Limit:
    """Accounts opened with one address: each is a mail to somebody who may not want it."""
    return Limit("register_email", settings.registrations_per_email, HOUR)


def resets_per_email(settings: Settings) -> Limit:
    """Links sent to one address."""
    return Limit("reset_email", settings.resets_per_email, HOUR)


def resets_per_network(settings: Settings) -> Limit:
    """Links asked for, and links tried, from one network."""
    return Limit("reset_address", settings.resets_per_address, QUARTER)


def network(ip: str) -> str:
    """Whom an address stands for: itself, or of IPv6 the customer's part of it."""
    try:
        address = ip_address(ip)
    except ValueError:
        return ip
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((address, IPV6_CUSTOMER), strict=False))
    return str(address)
