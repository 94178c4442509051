"""How often somebody may write to us (docs/operations.md has the figures)."""

from datetime import timedelta

from prawko.accounts.throttle import Limit

AN_HOUR = timedelta(hours=1)
A_DAY = timedelta(days=1)

TICKETS_OF_A_PERSON = Limit("ticket_person", 10, AN_HOUR)
TICKETS_OF_A_COMPANY = Limit("ticket_company", 30, AN_HOUR)

# Many people share one address of a network; an e-mail address is one person's.
CONTACT_FROM_AN_ADDRESS = Limit("contact_address", 20, AN_HOUR)
CONTACT_FOR_AN_EMAIL = Limit("contact_email", 5, AN_HOUR)
CONTACT_OF_EVERYBODY = Limit("contact_everybody", 500, A_DAY)
EVERYBODY = ""
