"""Rate limits of invitations: each is a mail that its reader has not asked for.

A mailbox has a limit of its own besides, whoever sends (`accounts.mailbox_limiter`).
"""

from prawko.accounts.rate_limits import QUARTER_HOUR
from prawko.base.rate_limit import DAY, RateLimit

INVITATIONS = RateLimit("alert_invitation", 30, DAY)  # of a company
REPEATED_INVITATIONS = RateLimit("alert_invitation_again", 3, DAY)  # of a recipient
UNKNOWN_LINKS = RateLimit("alert_link", 30, QUARTER_HOUR)  # of a network
