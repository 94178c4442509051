"""All environment variables: those of the settings and of the installed plugins."""

import difflib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

import msgspec
from msgspec import inspect

from prawko.hooks.environment import Environment, is_secret, variable_name
from prawko.kit.observability import logs
from prawko.kit.providers.entries import discover_plugins
from prawko.kit.providers.loader import load_plugins
from prawko.kit.providers.registry import Plugins
from prawko.kit.settings import Settings

ALL_PROCESSES = "all"
# Those of release 0.1.0 that are constants now (CHANGELOG.md): noticed where they are still set.
REMOVED = frozenset((
    "CHANNEL_SENDGRID_DEADLINE", "CHANNEL_SMSAPI_DEADLINE", "CHANNEL_SMTP_DEADLINE",
    "CHANNEL_WEBPUSH_DEADLINE", "LOGIN_TRIES_PER_ACCOUNT", "LOGIN_TRIES_PER_ADDRESS",
    "MAILS_PER_MAILBOX", "MANUAL_CHECKS_PER_COMPANY", "MANUAL_CHECKS_PER_DRIVER",
    "MAX_MESSAGE_DELAY", "ORDERS_PER_COMPANY", "PAYMENTS_PRZELEWY24_DEADLINE",
    "PAYMENTS_PRZELEWY24_MINUTES", "PAYMENTS_STRIPE_DEADLINE", "PAYMENTS_STRIPE_MINUTES",
    "REGISTER_PUBLIC_LARGEST", "REGISTER_UPKI_LARGEST", "REGISTRATIONS_PER_ADDRESS",
    "REGISTRATIONS_PER_EMAIL", "RESETS_PER_ADDRESS", "RESETS_PER_EMAIL", "SMS_CODES_PER_ACCOUNT",
    "SMS_CODES_PER_ADDRESS", "SMS_CODES_PER_NUMBER", "TRANSFER_DAYS", "TRIALS_PER_ADDRESS",
))  # fmt: skip
_MIN_SIMILARITY = 0.85
_NUMBER = re.compile(r"_[0-9]{1,2}_")

# Who sets the variables from this one on, or what for.
HEADINGS = {
    "DATABASE_URL": "Installation: logins and keys",
    "BASE_URL": "Installation: sites and processes",
    "LOG_LEVEL": "Monitoring",
    "REGISTER": "The daily check",
    "MAIL_CHANNEL": "Messages",
    "BRAND": "The company that offers the product",
    "PAYMENT_PROVIDERS": "Payments and invoices",
    "REQUIRE_REASONS": "Rules that a demo waives",
    "BACKUP_DATABASE_URL": "Commands of a server, and traces",
}

log = logs.get_logger(__name__)


class Variable(msgspec.Struct, frozen=True):
    """An environment variable; `default` is as one would write it, None where there is none.

    `plugin` is the prefix of the plugin that reads it, "" for the platform's own.
    """

    name: str
    default: str | None
    meaning: str
    processes: str
    is_secret: bool
    plugin: str = ""


# Read by commands, and by OpenTelemetry, which knows many more.
OTHER_VARIABLES = (
    Variable(
        "BACKUP_DATABASE_URL",
        None,
        "the backup's login, which reads everything; `db backup` and `db prepare` only",
        "commands",
        is_secret=True,
    ),
    Variable(
        "POSTGRES_PROGRAMS",
        "",
        "the folder of `pg_dump`, `pg_restore` and `vacuumdb`, if `PATH` does not name it",
        "commands",
        is_secret=False,
    ),
    Variable(
        "ADMIN_DATABASE_URL",
        None,
        "a superuser's login; `db provision`, `db prepare`, `db rotate`, `db restore` only",
        "commands",
        is_secret=True,
    ),
    *(
        Variable(
            f"{login.upper()}_DATABASE_URL",
            None,
            f"the login `{login}`, whose password is set; `db prepare` only",
            "commands",
            is_secret=True,
        )
        for login in ("app", "worker", "operator")
    ),
    Variable(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "",
        "a collector of traces (OTLP over HTTP); see Traces",
        ALL_PROCESSES,
        is_secret=False,
    ),
)


def list_variables(plugins: Plugins | None = None) -> list[Variable]:
    """Return every variable, those of plugins by the plugin's prefix.

    Without `plugins` that are loaded already, the installed ones are. Raises PluginError.
    """
    if plugins is None:
        plugins = load_plugins(Environment({}), discover_plugins(os.environ))
    found = {
        prefix: one for by_prefix in plugins.settings.values() for prefix, one in by_prefix.items()
    }
    listed = [*describe_settings(Settings), *OTHER_VARIABLES]
    for prefix, settings in sorted(found.items()):
        listed += describe_settings(settings, prefix)
    return listed


def warn_of_unknown_variables(variables: Mapping[str, str], plugins: Plugins) -> None:
    """Log each unused variable that looks like one of ours."""
    for name, similar in find_unknown_variables(variables, list_variables(plugins)):
        log.warning("unknown_variable", variable=name, similar=similar)


def find_unknown_variables(
    names: Iterable[str], known: Sequence[Variable]
) -> Iterator[tuple[str, str | None]]:
    """Yield each name that was removed, begins like ours or a plugin's, or is misspelt.

    With the similar name, if there is one. A first word that only one of our variables has, such
    as `DATABASE`, may belong to another program.
    """
    known_names = [one.name for one in known]
    first_words = Counter(one.name.partition("_")[0] for one in known if not one.plugin)
    prefixes = (
        *(f"{one.plugin}_" for one in known if one.plugin),
        *(f"{word}_" for word, number in first_words.items() if number > 1),
    )
    for name in sorted(set(names) - set(known_names)):
        if _NUMBER.sub("_2_", name) in known_names:
            continue
        if name in REMOVED:
            yield name, None
            continue
        similar = next(iter(difflib.get_close_matches(name, known_names, 1, _MIN_SIMILARITY)), None)
        if similar is not None or name.startswith(prefixes):
            yield name, similar


def format_table(variables: Iterable[Variable]) -> str:
    """Return the table of docs/operations.md."""
    rows = ["| Variable | Default | Means | Read by |", "|---|---|---|---|"]
    plugin = ""
    for one in variables:
        if one.name in HEADINGS or one.plugin != plugin:
            rows.append(f"| **{HEADINGS.get(one.name) or f'Plugin {one.plugin}'}** | | | |")
            plugin = one.plugin
        default = "required" if one.default is None else one.default
        if one.default is None and one.plugin:
            default = "required with the plugin"
        rows.append(f"| `{one.name}` | {default} | {one.meaning} | {one.processes} |")
    return "\n".join(rows)


def describe_settings(settings: type[msgspec.Struct], plugin: str = "") -> Iterator[Variable]:
    """Yield the variables of a Struct; `plugin` is their prefix, "" for the platform's own."""
    for field in msgspec.structs.fields(settings):
        info = inspect.type_info(field.type)
        schema = info.extra_json_schema if isinstance(info, inspect.Metadata) else None
        extra = info.extra if isinstance(info, inspect.Metadata) else None
        yield Variable(
            name=variable_name(field, plugin),
            default=None if field.required else _format_default(field.default),
            meaning=(schema or {}).get("description", ""),
            processes=(extra or {}).get("processes", ALL_PROCESSES),
            is_secret=is_secret(field),
            plugin=plugin,
        )


def _format_default(value: Any) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return str(value.value if isinstance(value, Enum) else value)
