"""Every rate limit of the product: what is counted, how often it may happen, and of whom.

Limits are tight for an account and generous for a network, because many people share an address.
A limit that is the first thing a route does is named in the route's `opt`
(`apps.web.route_limits`); the others are counted where the try is known. docs/operations.md has
the table of this page, written by `make variables`.
"""

from datetime import timedelta

import msgspec

from prawko.kit.rate_limit import DAY, HOUR, RateLimit

QUARTER_HOUR = timedelta(minutes=15)
# In `opt` of a route: its limit, counted for the caller's company or for the caller.
COMPANY_LIMIT = "company_limit"
USER_LIMIT = "user_limit"

# fmt: off
WRONG_SIGN_INS = RateLimit("login", 10, QUARTER_HOUR,
    "wrong passwords of an account: one count for all unknown browsers, one for each known browser")
WRONG_SIGN_INS_PER_NETWORK = RateLimit("login_address", 300, QUARTER_HOUR,
    "wrong passwords from a network, those of known browsers not among them")
RIGHT_SIGN_INS = RateLimit("sign_in", 300, QUARTER_HOUR,
    "right passwords of an account, typed at the sign-in")
REGISTRATIONS_PER_NETWORK = RateLimit("register", 60, QUARTER_HOUR,
    "accounts opened from a network")
REGISTRATIONS_PER_EMAIL = RateLimit("register_email", 5, HOUR,
    "accounts opened with one mailbox from one network; what follows a `+` does not count")
EMAIL_CODES = RateLimit("email_code", 5, QUARTER_HOUR, "codes sent to a person on request")
EMAIL_CODE_TRIES = RateLimit("verify_email", 30, QUARTER_HOUR,
    "codes tried by a person; each code allows 10 tries")
RESETS_PER_EMAIL = RateLimit("reset_email", 5, HOUR,
    "reset links sent to a mailbox on request of one network, or of all known browsers")
RESETS_PER_NETWORK = RateLimit("reset_address", 60, QUARTER_HOUR,
    "reset links requested from a network, and wrong ones tried")
MAILS_PER_MAILBOX = RateLimit("mailbox_day", 20, DAY,
    "codes and links to a mailbox that anybody can request; known browsers have their own count")
FULL_MAILBOXES = RateLimit("mailbox_full", 1, DAY,
    "mailboxes that had as many: refuses nothing, and is an incident (`mailbox_full`)")
WRONG_PASSWORDS = RateLimit("change_password", 10, QUARTER_HOUR,
    "wrong present passwords of a signed-in person")
# The further windows make the pause longer for a person who goes on.
SECOND_FACTOR = (
    RateLimit("second_factor", 5, QUARTER_HOUR,
        "codes of two-step verification tried by a person, recovery codes included, at the sign-in "
        "and in the account: one count for all unknown browsers, one for all known browsers"),
    RateLimit("second_factor_hour", 10, HOUR, "the same codes: the pause grows"),
    RateLimit("second_factor_day", 20, DAY, "the same codes"),
)
# Fraudsters who get a share of the carriers' fees request codes for numbers of their own. So codes
# are limited per person, number and network, and for all callers together.
PHONE_CODES = RateLimit("phone_code", 5, HOUR,
    "codes sent by SMS to a person, half a minute apart; each allows 5 tries")
PHONE_CODES_PER_NUMBER = RateLimit("phone_code_number", 5, DAY,
    "codes sent to a phone number, for all persons together")
PHONE_CODES_PER_NETWORK = RateLimit("phone_code_address", 30, HOUR,
    "codes by SMS requested from a network")
PHONE_CODES_PER_DAY = RateLimit("phone_code_day", 500, DAY,
    "codes by SMS in total (`SMS_CODES_PER_DAY`); see below")
ACCOUNT_CHANGES = RateLimit("account_change", 120, HOUR,
    "changes by a person: language, alerts, browsers, billing details, password, two-step "
    "verification, limit, cancellation and its withdrawal")
TICKETS_PER_USER = RateLimit("ticket_person", 10, HOUR, "tickets of a person")
TICKETS_PER_COMPANY = RateLimit("ticket_company", 30, HOUR, "tickets of a company")
CONTACT_PER_NETWORK = RateLimit("contact_address", 20, HOUR, "visitors' messages from a network")
CONTACT_PER_EMAIL = RateLimit("contact_email", 5, HOUR, "visitors' messages under one mailbox")
CONTACT_TOTAL = RateLimit("contact_everybody", 500, DAY,
    "visitors' messages in total, to protect the operators' mailbox and the carrier's quota")
CONTACT_PROBABLE_SPAM = RateLimit("contact_probable_spam", 50, DAY,
    "visitors' messages in total that are marked as probable spam")
REFUSED_WEBHOOKS = RateLimit("webhook_refused", 10, HOUR,
    "webhooks of a provider with a wrong signature or content; more of them are an incident")
TRIALS_PER_PERSON = RateLimit("trial_person", 5, DAY,
    "trials begun or refused of a person: a refusal tells that a tax id was used")
TRIALS_PER_NETWORK = RateLimit("trial_address", 20, DAY, "trials begun or refused of a network")
ORDERS = RateLimit("order", 20, HOUR, "orders of a company that reach a payment provider")
MANUAL_CHECKS_PER_DRIVER = RateLimit("check_driver", 5, HOUR, "manual checks of a driver")
MANUAL_CHECKS_PER_COMPANY = RateLimit("check_company", 60, HOUR, "manual checks of a company")
COMPANY_EXPORTS = RateLimit("company_export", 5, HOUR, "exports of a company's data")
DRIVER_EXPORTS = RateLimit("driver_export", 60, HOUR, "exports of a company's drivers")
DRIVER_CHANGES = RateLimit("driver_change", 20_000, HOUR,
    "changes of a company's drivers, each of several at once")
NEW_DOCUMENTS = RateLimit("driver_document", 200, DAY,
    "drivers that a company adds, imports or edits: each may have a first check. Three times the "
    "limit of its plan is added to the figure")
IMPORT_PREVIEWS = RateLimit("driver_import_preview", 600, HOUR,
    "tables of drivers that a company has read for a preview, a pasted one at each change; a file "
    "that is refused, in an import as well, counts as 20 more")
REFUSED_FILE_COST = 20
IMPORTS = RateLimit("driver_import", 60, HOUR,
    "tables of drivers that a company imports, or tries to")
ACKNOWLEDGEMENTS = RateLimit("driver_acknowledgement", 1000, DAY,
    "acknowledgements of a company and their withdrawals, refused ones included")
LIST_EXPORTS = RateLimit("driver_list_export", 60, HOUR, "exports of a company's list of drivers")
CONFIRMATIONS = RateLimit("confirmation", 60, HOUR,
    "confirmations of checks, as PDF, that a company makes")
DAY_CONFIRMATIONS = RateLimit("day_confirmation", 20, HOUR,
    "confirmations of all drivers on a day, as PDF, that a company makes")
# Each invitation is a mail that its reader has not asked for.
INVITATIONS = RateLimit("alert_invitation", 30, DAY,
    "invitations of a company to persons without an account; the mailbox counts them, too")
REPEATED_INVITATIONS = RateLimit("alert_invitation_again", 4, DAY,
    "invitations of a company to one mailbox, also of a person who was removed and added again; "
    "what follows a `+` in the name does not count")
INVITATIONS_PER_NETWORK = RateLimit("alert_invitation_address", 100, DAY,
    "invitations from a network, of all companies together")
UNKNOWN_LINKS = RateLimit("alert_link", 30, QUARTER_HOUR,
    "false links of such mails, tried from a network")
ACKNOWLEDGEMENT_LINKS = RateLimit("acknowledgement_link", 30, QUARTER_HOUR,
    "calls by the link of one message about an alert")
TEST_ALERTS = RateLimit("test_alert", 5, DAY, "test alerts that a person has sent")
AGREEMENTS = RateLimit("agreement", 30, HOUR,
    "downloads of a company's data-processing agreement")
# fmt: on


def new_documents(driver_limit: int) -> RateLimit:
    """Return how many drivers a company may add, import or edit that may have so many."""
    return msgspec.structs.replace(
        NEW_DOCUMENTS, max_tries=3 * driver_limit + NEW_DOCUMENTS.max_tries
    )


def list_limits() -> list[RateLimit]:
    """Return every limit of this page, in its order."""
    listed: list[RateLimit] = []
    for value in globals().values():
        group = value if isinstance(value, tuple) else (value,)
        listed += (limit for limit in group if isinstance(limit, RateLimit))
    return listed


def format_table() -> str:
    """Return the table of docs/operations.md."""
    rows = ["| Counted as | At most | Of |", "|---|---|---|"]
    for limit in list_limits():
        minutes = int(limit.window.total_seconds() // 60)
        rows.append(f"| `{limit.scope}` | {limit.max_tries} in {minutes} minutes | {limit.what} |")
    return "\n".join(rows)
