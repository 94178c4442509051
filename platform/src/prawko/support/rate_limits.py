"""Rate limits of tickets and contact messages; a test compares them with docs/operations.md."""

from prawko.base.rate_limit import DAY, HOUR, RateLimit

TICKETS_PER_USER = RateLimit("ticket_person", 10, HOUR)
TICKETS_PER_COMPANY = RateLimit("ticket_company", 30, HOUR)

# Many people share one IP address; an e-mail address is one person's.
CONTACT_PER_NETWORK = RateLimit("contact_address", 20, HOUR)
CONTACT_PER_EMAIL = RateLimit("contact_email", 5, HOUR)
CONTACT_TOTAL = RateLimit("contact_everybody", 500, DAY)
