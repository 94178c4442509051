"""Rate limits of accounts: tight per account, generous per network.

Many people share one IP address, so limits per network only stop floods. A test compares this
module with the table in docs/operations.md.
"""

from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from prawko.base.context import AppContext
from prawko.base.rate_limit import DAY, GLOBAL_SUBJECT, HOUR, RateLimit, Throttle
from prawko.base.settings import Settings
from prawko.deliveries.jobs import deliver_pending
from prawko.incidents.details import Detail
from prawko.incidents.service import set_incident

QUARTER_HOUR = timedelta(minutes=15)
IPV6_CUSTOMER_PREFIX = 64  # a customer of a provider gets at least this much

FULL_MAILBOXES = RateLimit("mailbox_full", 1, DAY)  # nobody is refused for it
EMAIL_CODES = RateLimit("email_code", 5, QUARTER_HOUR)
EMAIL_CODE_TRIES = RateLimit("verify_email", 30, QUARTER_HOUR)
WRONG_PASSWORDS = RateLimit("change_password", 10, QUARTER_HOUR)
# The further windows make the pause longer for whoever goes on.
SECOND_FACTOR_LIMITS = (
    RateLimit("second_factor", 5, QUARTER_HOUR),
    RateLimit("second_factor_hour", 10, HOUR),
    RateLimit("second_factor_day", 20, DAY),
)


class AccountLimits:
    """The limits that settings change."""

    def __init__(self, settings: Settings) -> None:
        # Wrong passwords.
        self.login_per_account = RateLimit("login", settings.login_tries_per_account, QUARTER_HOUR)
        self.login_per_network = RateLimit(
            "login_address", settings.login_tries_per_address, QUARTER_HOUR
        )
        self.registrations_per_network = RateLimit(
            "register", settings.registrations_per_address, QUARTER_HOUR
        )
        # Each sends a mail that its reader may not want; see MailboxLimiter.
        self.registrations_per_email = RateLimit(
            "register_email", settings.registrations_per_email, HOUR
        )
        self.resets_per_email = RateLimit("reset_email", settings.resets_per_email, HOUR)
        self.mails_per_mailbox = RateLimit("mailbox_day", settings.mails_per_mailbox, DAY)
        # Reset links requested and used.
        self.resets_per_network = RateLimit(
            "reset_address", settings.resets_per_address, QUARTER_HOUR
        )


def client_network(ip: str) -> str:
    """Return the subject to count an IP address under: for IPv6 its /64 network."""
    try:
        address = ip_address(ip)
    except ValueError:
        return ip
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((address, IPV6_CUSTOMER_PREFIX), strict=False))
    return str(address)


async def sync_limit_incident(
    context: AppContext, limit: RateLimit, *, kind: str, detail: Detail | str
) -> None:
    """Open an operator incident while the global limit is used up, and close it after that."""
    throttle = Throttle(context.database, context.key_ring)
    used = await throttle.usage(limit, GLOBAL_SUBJECT)
    async with context.database.system() as session:
        opened = await set_incident(
            session,
            kind=kind,
            key=GLOBAL_SUBJECT,
            is_active=used >= limit.max_tries,
            detail=detail,
            now=context.clock.now(),
        )
        if opened:
            context.enqueue_on_commit(session, deliver_pending)
