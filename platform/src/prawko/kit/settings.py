"""Settings of a process: one field for each environment variable of the platform itself."""

import base64
from datetime import time
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from prawko.hooks.channels import Medium
from prawko.hooks.environment import SECRET
from prawko.hooks.invoices import Seller

# What the law requires a limited company to say of itself (docs/decisions/0025).
_OPERATOR_FIELDS = (
    "seller_name", "seller_tax_id", "seller_street", "seller_postal_code", "seller_city",
    "operator_krs", "operator_register_court", "operator_share_capital", "operator_contact_email",
)  # fmt: skip

PositiveFloat = Annotated[float, Meta(gt=0)]
PositiveInt = Annotated[int, Meta(ge=1)]
Port = Annotated[int, Meta(ge=0, le=65535)]

# Which processes read a variable; one without such a mark is read by all.
PANEL = Meta(extra={"processes": "panel"})
CONSOLE = Meta(extra={"processes": "console"})
SITES = Meta(extra={"processes": "panel, console"})
WORKER = Meta(extra={"processes": "worker"})
PANEL_AND_WORKER = Meta(extra={"processes": "panel, worker"})
COMMANDS = Meta(extra={"processes": "commands"})


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Each field is the environment variable of the same name in capitals. Times are in seconds.

    One exception: `scheduler_enabled` is read from `TIMETABLE`. The descriptions are the table in
    docs/operations.md, which `make variables` writes.
    """

    database_url: Annotated[str, Meta(description="the process's own login"), SECRET]
    planner_database_url: Annotated[
        str | None, Meta(description="the planner's login; a worker needs it"), SECRET, WORKER
    ] = None
    owner_database_url: Annotated[
        str | None,
        Meta(description="the owner's login; `db migrate`, `admin` and `company` only"),
        SECRET,
        COMMANDS,
    ] = None
    redis_url: Annotated[str, Meta(description="`redis://`, `rediss://` or `unix://`"), SECRET]
    secret_key: Annotated[
        str,
        Meta(description="32 or more random bytes, URL-safe base64; the same for all processes"),
        SECRET,
    ]
    answer_keys: Annotated[
        str,
        Meta(
            description="keys of the register's raw answers, see Keys; empty: derived from "
            "`SECRET_KEY`"
        ),
        SECRET,
    ] = ""

    base_url: Annotated[
        str,
        Meta(
            description="the public address, also in the metadata of the landing page and in "
            "`sitemap.xml`; https makes cookies Secure and sends HSTS, and a public "
            "host needs it"
        ),
    ] = "http://127.0.0.1:8000"
    host: Annotated[str, Meta(description="where the panel or the console listens"), SITES] = (
        "127.0.0.1"
    )
    port: Annotated[Port, Meta(description="where the panel or the console listens"), SITES] = 8000
    web_workers: Annotated[PositiveInt, Meta(description="processes of the panel"), PANEL] = 1
    trusted_proxies: Annotated[
        str,
        Meta(
            description="addresses and networks, such as `10.0.0.0/8`, whose `X-Forwarded-For` is "
            "trusted"
        ),
        SITES,
    ] = ""
    frontend_dir: Annotated[
        str, Meta(description="the built customer application; `none` serves the API alone"), PANEL
    ] = "frontend/build/client"
    console_dir: Annotated[
        str, Meta(description="the built console; `none` serves its API alone"), CONSOLE
    ] = "admin-ui/build"
    plugins_disabled: Annotated[
        str,
        Meta(
            description="installed plugins that are left out and not imported, by the names that "
            "`prawko plugins` lists, separated by commas"
        ),
    ] = ""

    log_level: Annotated[
        str, Meta(description="`DEBUG`, `INFO`, `WARNING`, `ERROR` or `CRITICAL`")
    ] = "INFO"
    metrics_host: Annotated[str, Meta(description="where `/metrics` listens")] = "127.0.0.1"
    metrics_port: Annotated[
        Port,
        Meta(
            description="the port of `/metrics`, another one for each process of a machine; 0: "
            "there are no metrics"
        ),
    ] = 0
    heartbeat_url: Annotated[
        str,
        Meta(
            description="an address of a dead-man switch, requested every minute while monitoring "
            "works; see Monitoring"
        ),
        SECRET,
        WORKER,
    ] = ""
    heartbeat_file: Annotated[
        str,
        Meta(
            description="a file that the worker touches at each heartbeat, every 15 seconds, for "
            "the health check of its container"
        ),
        WORKER,
    ] = ""

    register: Annotated[
        str,
        Meta(
            description="which licence register is used; several accesses to it are separated by "
            "commas"
        ),
    ] = "upki"
    register_rate: Annotated[
        PositiveFloat,
        Meta(
            description="queries a second through one access, all workers together; a fifth of "
            "it is reserved for manual and first checks"
        ),
        PANEL_AND_WORKER,
    ] = 10.0
    register_deadline: Annotated[
        PositiveFloat,
        Meta(
            description="seconds a query may take; the adapters enforce `REGISTER_UPKI_DEADLINE` "
            "and `REGISTER_PUBLIC_DEADLINE` themselves"
        ),
        PANEL_AND_WORKER,
    ] = 10.0
    register_max_concurrency: Annotated[
        PositiveInt, Meta(description="concurrent queries in one process"), PANEL_AND_WORKER
    ] = 32
    daily_check_at: Annotated[
        str,
        Meta(
            description="Warsaw time by which the run starts; earlier when it would not be done "
            "by 06:30"
        ),
    ] = "06:00"
    scheduler_enabled: Annotated[
        bool, Meta(description="the scheduler of periodic jobs; `0` switches it off"), WORKER
    ] = msgspec.field(default=True, name="timetable")

    mail_channel: Annotated[
        str,
        Meta(
            description="which channel sends mail: `smtp` or `sendgrid`; of several, separated by "
            "commas, the first that does not rest"
        ),
    ] = "smtp"
    sms_channel: Annotated[
        str,
        Meta(
            description="which channel sends SMS: `smsapi`, or several as for mail; empty: none "
            "are sent"
        ),
    ] = ""
    push_channel: Annotated[
        str,
        Meta(
            description="which channel sends push messages to browsers: `webpush`; empty: none are "
            "sent, and the panel does not offer them"
        ),
    ] = ""
    sms_from_hour: Annotated[
        Annotated[int, Meta(ge=0, le=23)],
        Meta(
            description="SMS and push messages wait for this hour in Warsaw at night; codes are "
            "sent at once"
        ),
        WORKER,
    ] = 6
    sms_codes_per_day: Annotated[
        PositiveInt, Meta(description="codes in total in 24 hours"), PANEL_AND_WORKER
    ] = 500

    brand: Annotated[str, Meta(description="the name on mails")] = "Prawko"
    operator_email: Annotated[
        str, Meta(description="recipient of incidents, tickets and contact messages"), WORKER
    ] = ""
    operator_krs: Annotated[
        str, Meta(description="the operator in the legal documents: ten digits"), PANEL
    ] = ""
    operator_register_court: Annotated[
        str, Meta(description="the operator in the legal documents: the court's name"), PANEL
    ] = ""
    operator_share_capital: Annotated[
        Annotated[int, Meta(ge=0)],
        Meta(description="the operator in the legal documents: whole złoty"),
        PANEL,
    ] = 0
    operator_contact_email: Annotated[
        str,
        Meta(
            description="the operator in the legal documents: the address that customers write "
            "to, named in mails; also for reports of vulnerabilities in `/.well-known/security.txt`"
        ),
        PANEL_AND_WORKER,
    ] = ""
    operator_dpo_email: Annotated[
        str, Meta(description="the data protection officer's address, if there is one"), PANEL
    ] = ""

    payment_providers: Annotated[
        str,
        Meta(
            description="providers for new payments, in order of preference, separated by commas; "
            "none: nothing can be bought"
        ),
    ] = ""

    seller_name: Annotated[
        str,
        Meta(
            description="the seller on the invoices; all of the seller, as soon as "
            "`PAYMENT_PROVIDERS` names a provider"
        ),
    ] = ""
    seller_tax_id: Annotated[str, Meta(description="NIP of the seller")] = ""
    seller_street: Annotated[str, Meta(description="street and number of the seller")] = ""
    seller_postal_code: Annotated[
        str, Meta(description="postal code of the seller, such as 00-950")
    ] = ""
    seller_city: Annotated[str, Meta(description="city of the seller")] = ""
    seller_iban: Annotated[
        str, Meta(description="an account to print on the invoices, 26 digits")
    ] = ""
    invoice_series: Annotated[
        str,
        Meta(
            description="prefix of invoice numbers, 1 to 10 capital letters and digits; a series "
            "that nothing else uses under this tax id"
        ),
    ] = "FV"
    invoice_issuer: Annotated[
        str,
        Meta(
            description="`ksef` builds a structured invoice (FA(3)) for every invoice issued from "
            "then on"
        ),
    ] = ""

    require_reasons: Annotated[
        bool,
        Meta(
            description="every act of an operator that touches a customer needs a reason, in the "
            "console and by a command (`--reason`); `0` leaves it to the operator"
        ),
        CONSOLE,
    ] = True
    require_named_operator: Annotated[
        bool,
        Meta(
            description="commands that act need `--as EMAIL`, an operator's account; without it "
            "they may also act as the system user that runs them"
        ),
    ] = False
    strict_tax_id: Annotated[
        bool, Meta(description="refuses tax ids with a wrong check digit"), PANEL
    ] = True
    refuse_common_passwords: Annotated[
        bool,
        Meta(description="refuses common passwords; the checklist warns of them either way"),
        PANEL,
    ] = True
    require_operator_second_factor: Annotated[
        bool,
        Meta(description="an operator without two-step verification may only set it up"),
        SITES,
    ] = True

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
    def register_names(self) -> tuple[str, ...]:
        """Accesses to the register: at least one."""
        return _split_names(self.register)

    def channel_names(self, medium: Medium) -> tuple[str, ...]:
        """Return the carriers of a medium in order of preference; none: it is off.

        Of push there is one: a browser's subscription belongs to the key of one channel.
        """
        match medium:
            case Medium.EMAIL:
                return _split_names(self.mail_channel)
            case Medium.SMS:
                return _split_names(self.sms_channel)
            case Medium.PUSH:
                return (self.push_channel,) if self.push_channel else ()

    @property
    def payment_provider_names(self) -> tuple[str, ...]:
        """Providers of new payments in order of preference; empty: payments are off."""
        return _split_names(self.payment_providers)

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


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))
