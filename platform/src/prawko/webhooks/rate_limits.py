"""How many calls of a provider may be refused before the operators are told."""

from prawko.base.rate_limit import HOUR, RateLimit

REFUSED_WEBHOOKS = RateLimit("webhook_refused", 10, HOUR)  # nobody is refused for it
