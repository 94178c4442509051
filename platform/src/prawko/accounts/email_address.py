"""Validates and normalises e-mail addresses."""

from email_validator import SPECIAL_USE_DOMAIN_NAMES, EmailSyntaxError, validate_email

# Only the syntax is validated; the verification code shows whether mail arrives.
SPECIAL_USE_DOMAIN_NAMES.clear()

MAX_LENGTH = 254
# For clients: every valid address fits, in syntax that every regular-expression dialect has.
OPENAPI_PATTERN = r"^[!#-'*+./0-9=?A-Z^-~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$"


def parse_email(text: str) -> str | None:
    """Return the address without surrounding blanks; None when it is malformed or not ASCII."""
    address = text.strip()
    if len(address) > MAX_LENGTH or not address.isascii():
        return None
    try:
        validate_email(address, check_deliverability=False, strict=True)
    except EmailSyntaxError:
        return None
    return address


def normalise_email(address: str) -> str:
    """Return the key under which the address is unique: lower case (docs/rules.md R27)."""
    return address.lower()


def mailbox_of(address: str) -> str:
    """Return the mailbox that mail to the address reaches, to count its mails.

    Most servers deliver `name+anything@domain` to `name@domain`; dots matter to most of them.
    """
    local, _, domain = normalise_email(address).rpartition("@")
    name = local.partition("+")[0]
    return f"{name or local}@{domain}"
