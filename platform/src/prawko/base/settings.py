"""Settings of a process, read from environment variables and validated at its start."""

import base64
import re
from collections.abc import Mapping
from datetime import time
from ipaddress import ip_network
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta
from stdnum import iban

from prawko.base.nip import has_nip_format, has_valid_check_digit
from prawko.hooks.environment import SettingsError, convert_variables
from prawko.hooks.invoices import Seller

MIN_SECRET_BYTES = 32
ANSWER_KEY_BYTES = 32

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
    "seller_postal_code": (r"[0-9]{2}-[0-9]{3}", "a code such as 00-950 is expected"),
    "invoice_series": (r"[A-Z0-9]{1,10}", "1 to 10 capital letters or digits are expected"),
    "operator_krs": (r"[0-9]{10}", "ten digits are expected"),
    "operator_contact_email": _EMAIL,
    "operator_dpo_email": _EMAIL,
}
# What the law requires a limited company to say of itself (docs/decisions/0025).
_OPERATOR_FIELDS = (
    "seller_name", "seller_tax_id", "seller_street", "seller_postal_code", "seller_city",
    "operator_krs", "operator_register_court", "operator_share_capital", "operator_contact_email",
)  # fmt: skip

PositiveFloat = Annotated[float, Meta(gt=0)]
PositiveInt = Annotated[int, Meta(ge=1)]
Port = Annotated[int, Meta(ge=0, le=65535)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Each field is the environment variable of the same name in capitals. Times are in seconds.

    One exception: `scheduler_enabled` is read from `TIMETABLE`.
    """

    database_url: str
    planner_database_url: str | None = None
    owner_database_url: str | None = None
    redis_url: str
    secret_key: str
    answer_keys: str = ""

    base_url: str = "http://127.0.0.1:8000"
    host: str = "127.0.0.1"
    port: Port = 8000
    web_workers: PositiveInt = 1
    frontend_dir: str = "frontend/build/client"
    console_dir: str = "admin-ui/build"
    require_reasons: bool = True
    trusted_proxies: str = ""
    brand: str = "Prawko"
    log_level: str = "INFO"

    register: str = "upki"
    register_rate: PositiveFloat = 10.0
    register_deadline: PositiveFloat = 10.0
    register_max_concurrency: PositiveInt = 32
    daily_check_at: str = "06:00"
    scheduler_enabled: bool = msgspec.field(default=True, name="timetable")
    manual_checks_per_driver: PositiveInt = 5
    manual_checks_per_company: PositiveInt = 60

    mail_channel: str = "smtp"
    sms_channel: str = ""
    sms_from_hour: Annotated[int, Meta(ge=0, le=23)] = 6
    sms_codes_per_account: PositiveInt = 5
    sms_codes_per_number: PositiveInt = 5
    sms_codes_per_address: PositiveInt = 30
    sms_codes_per_day: PositiveInt = 500
    operator_email: str = ""
    operator_krs: str = ""
    operator_register_court: str = ""
    operator_share_capital: Annotated[int, Meta(ge=0)] = 0
    operator_contact_email: str = ""
    operator_dpo_email: str = ""
    payment_providers: str = ""
    orders_per_company: PositiveInt = 20

    seller_name: str = ""
    seller_tax_id: str = ""
    seller_street: str = ""
    seller_postal_code: str = ""
    seller_city: str = ""
    seller_iban: str = ""
    invoice_series: str = "FV"
    invoice_issuer: str = ""

    strict_tax_id: bool = True
    refuse_common_passwords: bool = True
    login_tries_per_account: PositiveInt = 10
    login_tries_per_address: PositiveInt = 300
    registrations_per_address: PositiveInt = 60
    registrations_per_email: PositiveInt = 5
    resets_per_address: PositiveInt = 60
    resets_per_email: PositiveInt = 5

    @property
    def is_https(self) -> bool:
        """Whether the site uses https: decides the cookie's name and HSTS."""
        return self.base_url.startswith("https://")

    @property
    def origin(self) -> str:
        """Scheme and authority of the site."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def check_time(self) -> time:
        """Latest start of the daily check, in Warsaw time."""
        return time.fromisoformat(self.daily_check_at)

    @property
    def seller(self) -> Seller | None:
        """Seller on the invoices; None when not configured."""
        if not self.seller_name:
            return None
        return Seller(
            name=self.seller_name,
            tax_id=self.seller_tax_id,
            street=self.seller_street,
            postal_code=self.seller_postal_code,
            city=self.seller_city,
            iban=self.seller_iban.replace(" ", "").removeprefix("PL"),
        )

    @property
    def missing_operator_variables(self) -> tuple[str, ...]:
        """Variables of the operator's details that the legal documents need and nobody set."""
        return tuple(name.upper() for name in _OPERATOR_FIELDS if not getattr(self, name))

    @property
    def payment_provider_names(self) -> tuple[str, ...]:
        """Providers of new payments in order of preference; empty: payments are off."""
        return tuple(filter(None, map(str.strip, self.payment_providers.split(","))))

    def secret_bytes(self) -> bytes:
        """Return SECRET_KEY, decoded."""
        return base64.urlsafe_b64decode(self.secret_key)

    def answer_key_bytes(self) -> dict[str, bytes]:
        """Return ANSWER_KEYS by id, the encrypting one first; empty: the key is derived."""
        return {
            key_id: base64.b64decode(key, validate=True)
            for key_id, _, key in (
                item.partition(":") for item in self.answer_keys.split(",") if item
            )
        }


def load_settings(variables: Mapping[str, str]) -> Settings:
    """Read the settings. Raises SettingsError with the name of the first invalid variable."""
    settings = convert_variables(Settings, variables)
    _validate(settings)
    return settings


def require_operator_details(settings: Settings) -> None:
    """Raise SettingsError, naming all that is missing, unless the operator's details are complete.

    A panel for customers must not start without them: its contracts would not name a party.
    """
    if missing := settings.missing_operator_variables:
        verb = "is" if len(missing) == 1 else "are"
        raise SettingsError(
            ", ".join(missing), f"{verb} missing (the terms name the operator's details)"
        )


def _validate(settings: Settings) -> None:
    for field, (pattern, expected) in _FORMATS.items():
        text = getattr(settings, field)
        if text and not re.fullmatch(pattern, text):
            raise SettingsError(field.upper(), f"is malformed: {expected}")
    _validate_proxies(settings)
    _validate_seller(settings)
    try:
        long_enough = len(settings.secret_bytes()) >= MIN_SECRET_BYTES
    except ValueError:
        long_enough = False
    if not long_enough:
        raise SettingsError(
            "SECRET_KEY", "is malformed: 32 or more random bytes in base64 are expected"
        )
    try:
        sizes = {len(key) for key in settings.answer_key_bytes().values()}
    except ValueError:
        sizes = {0}
    if sizes - {ANSWER_KEY_BYTES}:
        raise SettingsError("ANSWER_KEYS", "is malformed: id:base64 of 32 bytes, comma-separated")


def _validate_proxies(settings: Settings) -> None:
    try:
        for item in filter(None, settings.trusted_proxies.split(",")):
            ip_network(item.strip(), strict=False)
    except ValueError:
        raise SettingsError(
            "TRUSTED_PROXIES", "is malformed: addresses or networks separated by commas"
        ) from None


def _validate_seller(settings: Settings) -> None:
    """Require a complete seller when payments are on: invoices need one."""
    fields = ("seller_name", "seller_tax_id", "seller_street", "seller_postal_code", "seller_city")
    given = [name for name in (*fields, "seller_iban") if getattr(settings, name)]
    because = "PAYMENT_PROVIDERS" if settings.payment_providers else "".join(given[:1]).upper()
    if because:
        for name in fields:
            if not getattr(settings, name):
                raise SettingsError(name.upper(), f"is missing ({because} is set)")
        tax_id = settings.seller_tax_id
        if not has_nip_format(tax_id) or not has_valid_check_digit(tax_id):
            raise SettingsError(
                "SELLER_TAX_ID", "is malformed: a valid NIP of ten digits is expected"
            )
        if settings.seller_iban and not _is_polish_iban(settings.seller_iban):
            raise SettingsError("SELLER_IBAN", "is malformed: a Polish account number is expected")


def _is_polish_iban(text: str) -> bool:
    """Whether the text is a Polish IBAN (ISO 13616); blanks and a missing `PL` are accepted."""
    account = text.replace(" ", "").removeprefix("PL")
    return re.fullmatch(r"[0-9]{26}", account) is not None and bool(iban.is_valid(f"PL{account}"))
