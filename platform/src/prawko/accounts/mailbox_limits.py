"""Counts the codes and links that strangers can have sent to a mailbox."""

from contextlib import suppress

from prawko import limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.email_address import mailbox_of
from prawko.accounts.known_browsers import KnownBrowser
from prawko.kit.context import AppContext
from prawko.kit.errors import TooManyRequestsError
from prawko.kit.rate_limit import GLOBAL_SUBJECT, RateLimit, client_network


async def count_mail(
    context: AppContext, address: str, client_info: ClientInfo,
    *, limit: RateLimit | None = None, browser: KnownBrowser | None = None,
) -> None:  # fmt: skip
    """Count a mail by mailbox and day, and by `limit` for its sender. Raises TooManyRequestsError.

    The limit holds for each network, so that a stranger's requests do not use up the owner's; a
    known browser of the account has both limits for itself.
    """
    mailbox = mailbox_of(address)
    sender = browser.subject if browser else client_network(client_info.ip)
    if limit is not None:
        await context.throttle.hit(limit, f"{mailbox} {sender}")
    try:
        await context.throttle.hit(
            limits.MAILS_PER_MAILBOX, browser.subject if browser else mailbox
        )
    except TooManyRequestsError:
        with suppress(TooManyRequestsError):
            await context.throttle.hit(limits.FULL_MAILBOXES, GLOBAL_SUBJECT)
        raise
