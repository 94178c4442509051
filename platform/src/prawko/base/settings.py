"""The settings of a process: environment variables, read once, refused by name."""

import base64
import re
from collections.abc import Mapping
from datetime import time
from ipaddress import ip_network
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from prawko.base.tax_id import has_check_digit, has_tax_id_format
from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.invoices import Seller

MIN_SECRET_BYTES = 32
ANSWER_KEY_BYTES = 32

Positive = Annotated[float, Meta(gt=0)]
Count = Annotated[int, Meta(ge=1)]
Port = Annotated[int, Meta(ge=0, le=65535)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One field, one variable of the same name in capitals. Times are in seconds."""

    database_url: str
    planner_database_url: str | None = None
    owner_database_url: str | None = None
    redis_url: str
    secret_key: str
    answer_keys: str = ""

    base_url: str = "http://127.0.0.1:8000"
    host: str = "127.0.0.1"
    port: Port = 8000
    panel_processes: Count = 1
    site: str = "frontend/build/client"
    trusted_proxies: str = ""
    brand: str = "Prawko"
    log_level: str = "INFO"

    register: str = "upki"
    register_rate: Positive = 10.0
    register_deadline: Positive = 10.0
    register_parallel: Count = 32
    daily_check_at: str = "06:00"
    timetable: bool = True
    manual_checks_per_driver: Count = 5
    manual_checks_per_company: Count = 60

    mail_channel: str = "smtp"
    sms_channel: str = ""
    sms_from_hour: Annotated[int, Meta(ge=0, le=23)] = 6
    sms_codes_per_account: Count = 5
    sms_codes_per_number: Count = 5
    sms_codes_per_address: Count = 30
    sms_codes_per_day: Count = 500
    operator_email: str = ""
    payment_providers: str = ""
    orders_per_company: Count = 20

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
    login_tries_per_account: Count = 10
    login_tries_per_address: Count = 300
    registrations_per_address: Count = 60
    registrations_per_email: Count = 5
    resets_per_address: Count = 60
    resets_per_email: Count = 5
    terms_version: str = "2026-11-01"

    @property
    def secure(self) -> bool:
        """Whether people reach us by https: decides the cookie's name and HSTS."""
        return self.base_url.startswith("https://")

    @property
    def origin(self) -> str:
        """Scheme and authority of our own site."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def check_time(self) -> time:
        """The wall-clock time in Warsaw at which the daily check starts at the latest."""
        return time.fromisoformat(self.daily_check_at)

    @property
    def seller(self) -> Seller | None:
        """Who stands on our invoices; None where the settings name nobody."""
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
    def payment_provider_names(self) -> tuple[str, ...]:
        """Who takes new payments, the first choice first; none: payments are off."""
        return tuple(filter(None, map(str.strip, self.payment_providers.split(","))))

    def secret_bytes(self) -> bytes:
        """The process's secret, decoded."""
        return base64.urlsafe_b64decode(self.secret_key)

    def answer_key_bytes(self) -> dict[str, bytes]:
        """The keys of the raw answers by id, the sealing one first; empty means: derived."""
        return {
            key_id: base64.b64decode(key, validate=True)
            for key_id, _, key in (
                item.partition(":") for item in self.answer_keys.split(",") if item
            )
        }


def load(variables: Mapping[str, str]) -> Settings:
    """Read the settings. Raises SettingError naming the first bad variable."""
    given: dict[str, object] = {}
    for field in msgspec.structs.fields(Settings):
        name = field.name.upper()
        text = variables.get(name, "")
        if text == "":
            if field.required:
                raise SettingError(name, "is missing")
            continue
        try:
            given[field.name] = msgspec.convert(text, field.type, strict=False)
        except msgspec.ValidationError as error:
            raise SettingError(name, f"is malformed: {error}") from None
    settings = Settings(**given)  # type: ignore[arg-type]
    _refuse_malformed(settings)
    return settings


def _refuse_malformed(settings: Settings) -> None:
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", settings.daily_check_at):
        raise SettingError("DAILY_CHECK_AT", "is malformed: a time such as 06:00 is expected")
    if not re.fullmatch(r"https?://[^/\s]+", settings.base_url):
        raise SettingError(
            "BASE_URL", "is malformed: an http(s) address without a path is expected"
        )
    _refuse_malformed_proxies(settings)
    _refuse_half_a_seller(settings)
    for name, url, schemes in (
        ("DATABASE_URL", settings.database_url, ("postgresql",)),
        ("PLANNER_DATABASE_URL", settings.planner_database_url, ("postgresql",)),
        ("OWNER_DATABASE_URL", settings.owner_database_url, ("postgresql",)),
        ("REDIS_URL", settings.redis_url, ("redis", "rediss", "unix")),
    ):
        if url is not None and urlsplit(url).scheme not in schemes:
            raise SettingError(name, f"is malformed: it must begin with {' or '.join(schemes)}")
    try:
        long_enough = len(settings.secret_bytes()) >= MIN_SECRET_BYTES
    except ValueError:
        long_enough = False
    if not long_enough:
        raise SettingError(
            "SECRET_KEY", "is malformed: 32 or more random bytes in base64 are expected"
        )
    try:
        sizes = {len(key) for key in settings.answer_key_bytes().values()}
    except ValueError:
        sizes = {0}
    if sizes - {ANSWER_KEY_BYTES}:
        raise SettingError(
            "ANSWER_KEYS", "is malformed: id:base64 of 32 bytes, separated by commas"
        )


def _refuse_malformed_proxies(settings: Settings) -> None:
    try:
        for item in filter(None, settings.trusted_proxies.split(",")):
            ip_network(item.strip(), strict=False)
    except ValueError:
        raise SettingError(
            "TRUSTED_PROXIES", "is malformed: addresses or networks separated by commas"
        ) from None


def _refuse_half_a_seller(settings: Settings) -> None:
    """Who takes money issues invoices, and an invoice without a whole seller is none."""
    fields = ("seller_name", "seller_tax_id", "seller_street", "seller_postal_code", "seller_city")
    given = [name for name in (*fields, "seller_iban") if getattr(settings, name)]
    because = "PAYMENT_PROVIDERS" if settings.payment_providers else "".join(given[:1]).upper()
    if because:
        for name in fields:
            if not getattr(settings, name):
                raise SettingError(name.upper(), f"is missing ({because} is set)")
        tax_id = settings.seller_tax_id
        if not has_tax_id_format(tax_id) or not has_check_digit(tax_id):
            raise SettingError(
                "SELLER_TAX_ID", "is malformed: a valid NIP of ten digits is expected"
            )
        if not re.fullmatch(r"[0-9]{2}-[0-9]{3}", settings.seller_postal_code):
            raise SettingError(
                "SELLER_POSTAL_CODE", "is malformed: a code such as 00-950 is expected"
            )
        if settings.seller_iban and not _is_polish_account(settings.seller_iban):
            raise SettingError("SELLER_IBAN", "is malformed: a Polish account number is expected")
    if not re.fullmatch(r"[A-Z0-9]{1,10}", settings.invoice_series):
        raise SettingError(
            "INVOICE_SERIES", "is malformed: 1 to 10 capital letters or digits are expected"
        )


def _is_polish_account(text: str) -> bool:
    """26 digits whose first two check the others (ISO 13616); `PL` and blanks are accepted."""
    account = text.replace(" ", "").removeprefix("PL")
    if not re.fullmatch(r"[0-9]{26}", account):
        return False
    return int(f"{account[2:]}2521{account[:2]}") % 97 == 1  # 25 and 21 stand for P and L


__all__ = ["Environment", "SettingError", "Settings", "load"]
