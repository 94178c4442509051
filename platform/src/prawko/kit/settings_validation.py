"""Reads and validates the settings: every variable that is wrong is named, all at once."""

import re
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from stdnum import iban

from prawko.hooks.environment import SettingsError, draft_settings, raise_errors
from prawko.hooks.urls import LOOPBACK_HOSTS, parse_secure_url
from prawko.kit.settings import Settings
from prawko.kit.text.nip import has_nip_format, has_valid_check_digit

MIN_SECRET_BYTES = 32
# Of 32 random bytes fewer are different with a probability of 10 to the power of -22.
MIN_DISTINCT_BYTES = 16
ANSWER_KEY_BYTES = 32
# No random key contains one of these, in any spelling of its capitals.
PLACEHOLDERS = ("change", "secret", "password", "passwd", "example", "prawko", "default", "0123456")
# Names that are not registered on the Internet (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal).
PRIVATE_SUFFIXES = (".localhost", ".local", ".internal", ".test", ".example", ".home.arpa")

_POSTGRESQL_URL = (r"(?is)\s*postgresql:.*", "it must begin with postgresql")
_EMAIL = (r"[^@\s<>\"]+@[^@\s<>\"]+\.[^@\s<>\"]+", "an e-mail address is expected")
# Format of a variable that is set, and what is expected. URLs as urlsplit reads them.
_FORMATS = {
    "daily_check_at": (r"([01][0-9]|2[0-3]):[0-5][0-9]", "a time such as 06:00 is expected"),
    "base_url": (r"https?://[^/\s]+", "an http(s) address without a path is expected"),
    "database_url": _POSTGRESQL_URL,
    "planner_database_url": _POSTGRESQL_URL,
    "owner_database_url": _POSTGRESQL_URL,
    "redis_url": (r"(?is)\s*(redis|rediss|unix):.*", "it must begin with redis or rediss or unix"),
    "log_level": (
        r"DEBUG|INFO|WARNING|ERROR|CRITICAL",
        "DEBUG, INFO, WARNING, ERROR or CRITICAL is expected",
    ),
    "seller_postal_code": (r"[0-9]{2}-[0-9]{3}", "a code such as 00-950 is expected"),
    "invoice_series": (r"[A-Z0-9]{1,10}", "1 to 10 capital letters or digits are expected"),
    "operator_krs": (r"[0-9]{10}", "ten digits are expected"),
    "operator_contact_email": _EMAIL,
    "operator_dpo_email": _EMAIL,
}


def load_settings(variables: Mapping[str, str]) -> Settings:
    """Read the settings. Raises SettingsError with the names of all invalid variables."""
    draft, errors = inspect_settings(variables)
    raise_errors(errors)
    return draft


def inspect_settings(variables: Mapping[str, str]) -> tuple[Settings, list[SettingsError]]:
    """Return a draft of the settings beside all that is wrong; see `draft_settings`."""
    draft, errors = draft_settings(Settings, variables)
    return draft, add_errors(errors, _find_errors(draft))


def add_errors(errors: list[SettingsError], found: Iterable[SettingsError]) -> list[SettingsError]:
    """Return the errors, and those found in the draft, which has defaults for what is malformed."""
    known = {error.variable for error in errors}
    return [*errors, *(error for error in found if error.variable not in known)]


def require_planner(settings: Settings) -> None:
    """Raise SettingsError without the planner's login."""
    if not settings.planner_database_url:
        raise SettingsError("PLANNER_DATABASE_URL", "is missing (a worker plans the daily check)")


def require_operator_details(settings: Settings) -> None:
    """Raise SettingsError, naming all that is missing, unless the operator's details are complete.

    A panel for customers must not start without them: its contracts would not name a party.
    """
    raise_errors([
        SettingsError(name, "is missing (the terms name the operator's details)")
        for name in settings.missing_operator_variables
    ])  # fmt: skip


def _find_errors(settings: Settings) -> Iterator[SettingsError]:
    for field, (pattern, expected) in _FORMATS.items():
        text = getattr(settings, field)
        if text and not re.fullmatch(pattern, text):
            yield SettingsError(field.upper(), f"is malformed: {expected}")
    if _is_plain_and_public(settings.base_url):
        yield SettingsError("BASE_URL", "is plain http for a public host: https is expected")
    yield from _find_proxy_errors(settings)
    yield from _find_seller_errors(settings)
    yield from _find_key_errors(settings)
    if settings.heartbeat_url and parse_secure_url(settings.heartbeat_url) is None:
        yield SettingsError("HEARTBEAT_URL", "is malformed: an https URL is expected")


def _is_plain_and_public(base_url: str) -> bool:
    parts = urlsplit(base_url)
    host = (parts.hostname or "").lower()
    if parts.scheme != "http" or host in LOOPBACK_HOSTS:
        return False
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(PRIVATE_SUFFIXES)


def _find_key_errors(settings: Settings) -> Iterator[SettingsError]:
    try:
        key = settings.secret_bytes()
    except ValueError:
        key = b""
    if len(key) < MIN_SECRET_BYTES:
        yield SettingsError(
            "SECRET_KEY", "is malformed: 32 or more random bytes in base64 are expected"
        )
    elif _is_guessable(settings.secret_key, key):
        yield SettingsError(
            "SECRET_KEY", "is not random: make one with `openssl rand -base64 32 | tr +/ -_`"
        )
    try:
        sizes = {len(key) for key in settings.answer_key_bytes().values()}
    except ValueError:
        sizes = {0}
    if sizes - {ANSWER_KEY_BYTES}:
        yield SettingsError("ANSWER_KEYS", "is malformed: id:base64 of 32 bytes, comma-separated")


def _is_guessable(text: str, key: bytes) -> bool:
    """Whether a key is made of few different bytes, or contains a word of the manuals."""
    spellings = text.lower(), key.decode("latin-1").lower()
    return len(set(key)) < MIN_DISTINCT_BYTES or any(
        word in spelling for word in PLACEHOLDERS for spelling in spellings
    )


def _find_proxy_errors(settings: Settings) -> Iterator[SettingsError]:
    try:
        for item in filter(None, settings.trusted_proxies.split(",")):
            ip_network(item.strip(), strict=False)
    except ValueError:
        yield SettingsError(
            "TRUSTED_PROXIES", "is malformed: addresses or networks separated by commas"
        )


def _find_seller_errors(settings: Settings) -> Iterator[SettingsError]:
    """Find what a seller lacks: payments need a complete one, because invoices name it."""
    fields = ("seller_name", "seller_tax_id", "seller_street", "seller_postal_code", "seller_city")
    given = [name for name in (*fields, "seller_iban") if getattr(settings, name)]
    because = "PAYMENT_PROVIDERS" if settings.payment_providers else "".join(given[:1]).upper()
    if not because:
        return
    for name in fields:
        if not getattr(settings, name):
            yield SettingsError(name.upper(), f"is missing ({because} is set)")
    tax_id = settings.seller_tax_id
    if tax_id and not (has_nip_format(tax_id) and has_valid_check_digit(tax_id)):
        yield SettingsError("SELLER_TAX_ID", "is malformed: a valid NIP of ten digits is expected")
    if settings.seller_iban and not _is_polish_iban(settings.seller_iban):
        yield SettingsError("SELLER_IBAN", "is malformed: a Polish account number is expected")


def _is_polish_iban(text: str) -> bool:
    """Whether the text is a Polish IBAN (ISO 13616); blanks and a missing `PL` are accepted."""
    account = text.replace(" ", "").removeprefix("PL")
    return re.fullmatch(r"[0-9]{26}", account) is not None and bool(iban.is_valid(f"PL{account}"))
