"""Rate limits of invitations: each is a mail that its reader has not asked for.

A mailbox has a limit of its own besides, whoever sends (`accounts.mailbox_limiter`).
"""

from prawko.accounts.rate_limits import QUARTER_HOUR
from prawko.base.rate_limit import DAY, RateLimit

INVITATIONS = RateLimit("alert_invitation", 30, DAY)  # of a company
# Of a company to a mailbox: a removed recipient that is added again is the same person.
REPEATED_INVITATIONS = RateLimit("alert_invitation_again", 4, DAY)
# Of a network: whoever opens many companies has a limit, too.
INVITATIONS_PER_NETWORK = RateLimit("alert_invitation_address", 100, DAY)
UNKNOWN_LINKS = RateLimit("alert_link", 30, QUARTER_HOUR)  # of a network
