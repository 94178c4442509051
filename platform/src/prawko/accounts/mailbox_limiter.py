"""Counts the mails that anybody can have sent to a mailbox: codes and links nobody asked for."""

from contextlib import suppress

from prawko.accounts import rate_limits
from prawko.accounts.audit_log import ClientInfo
from prawko.accounts.email_address import mailbox_of
from prawko.accounts.known_browsers import KnownBrowser
from prawko.base.context import AppContext
from prawko.base.errors import TooManyRequestsError
from prawko.base.rate_limit import GLOBAL_SUBJECT, RateLimit, Throttle


class MailboxLimiter:
    """Limits the mails to a mailbox: by sender, and by day whoever sends them.

    The short limit holds for each network, so that a stranger's requests do not use up the
    owner's; a known browser of the account has both limits for itself.
    """

    def __init__(self, context: AppContext) -> None:
        self._throttle = Throttle(context.database, context.key_ring)
        self._per_day = rate_limits.AccountLimits(context.settings).mails_per_mailbox

    async def count(
        self,
        address: str,
        client_info: ClientInfo,
        *,
        limit: RateLimit | None = None,
        browser: KnownBrowser | None = None,
    ) -> None:
        """Count a mail, by `limit` for its sender as well. Raises TooManyRequestsError."""
        mailbox = mailbox_of(address)
        sender = browser.subject if browser else rate_limits.client_network(client_info.ip)
        if limit is not None:
            await self._throttle.hit(limit, f"{mailbox} {sender}")
        try:
            await self._throttle.hit(self._per_day, browser.subject if browser else mailbox)
        except TooManyRequestsError:
            with suppress(TooManyRequestsError):
                await self._throttle.hit(rate_limits.FULL_MAILBOXES, GLOBAL_SUBJECT)
            raise
