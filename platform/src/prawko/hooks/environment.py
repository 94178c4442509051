"""Reads settings from the environment variables of the process."""

import re
from collections.abc import Mapping, Sequence
from email.headerregistry import Address
from typing import Any, TypeVar

import msgspec
from msgspec import Meta
from yarl import URL

from prawko.hooks.email_messages import parse_sender
from prawko.hooks.urls import parse_secure_url

T = TypeVar("T", bound=msgspec.Struct)

# The value of a variable with such a name is never shown.
_SECRET_NAME = re.compile("KEY|TOKEN|SECRET|PASSW|URL|DSN")

SECRET = Meta(extra={"secret": True})
"""Marks a field of settings whose value is never shown."""


class SettingsError(Exception):
    """A variable is missing or malformed; the process must not start. Names the variable."""

    def __init__(self, variable: str, reason: str) -> None:
        super().__init__(f"{variable} {reason}")
        self.variable = variable

    @property
    def errors(self) -> "tuple[SettingsError, ...]":
        """The errors, one for each variable."""
        return (self,)


class InvalidSettingsError(SettingsError):
    """Several variables are wrong: a line for each of `errors`."""

    def __init__(self, errors: Sequence[SettingsError]) -> None:
        Exception.__init__(self, "\n".join(map(str, errors)))
        self.variable = errors[0].variable
        self._errors = tuple(errors)

    @property
    def errors(self) -> tuple[SettingsError, ...]:
        return self._errors


def raise_errors(errors: Sequence[SettingsError]) -> None:
    """Raise what was collected, if anything: the error itself, or InvalidSettingsError of them.

    An error that several hooks of a plugin found is raised once.
    """
    unique = list({str(error): error for error in errors}.values())
    if len(unique) == 1:
        raise unique[0]
    if unique:
        raise InvalidSettingsError(unique)


class Environment:
    """The variables of one process.

    `settings_by_prefix` are the settings that were asked for, configured or not: from them come
    the table of variables and the warnings of misspelt ones.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self.settings_by_prefix: dict[str, type[msgspec.Struct]] = {}

    def new_view(self) -> "Environment":
        """Return the same variables, with a separate record of the settings that are read."""
        return Environment(self._variables)

    def given_variables(self, *, secret: bool = False) -> dict[str, str]:
        """Return the variables that begin with a prefix that was asked for, or may be secret.

        With `secret` without those of fields that may be shown. For the platform: an error at the
        start quotes none of the values.
        """
        shown = {
            variable_name(field, prefix)
            for prefix, settings in self.settings_by_prefix.items()
            for field in msgspec.structs.fields(settings)
            if secret and not is_secret(field)
        }
        prefixes = tuple(f"{prefix}_".replace("_2_", "_") for prefix in self.settings_by_prefix)
        return {
            name: value
            for name, value in self._variables.items()
            if (name.startswith(prefixes) and name not in shown) or may_be_secret(name)
        }

    def read_settings(self, settings: type[T], prefix: str) -> T | None:
        """Read `PREFIX_FIELD` for every field of `settings`, a class derived from `msgspec.Struct`.

        Returns None if none of them is set: the plugin is installed but not configured. An
        empty variable counts as not set. A field may be of any type that msgspec makes from a
        text: str, int, float, bool ("1", "true"), an enum, a date, or one of these or None. A
        field of type `URL` takes an https URL, or one of this machine; a field of type `Address`
        takes `Name <address>`. `Meta(description=…)` says what a field means, `SECRET` that its
        value must not be shown. Raises SettingsError for all variables that are missing or
        malformed, so that a half-configured plugin stops
        the start.
        """
        self.settings_by_prefix[prefix] = settings
        return self._read(settings, prefix)

    def read_numbered_settings(self, settings: type[T], prefix: str) -> dict[int, T]:
        """Read further settings of a kind, `PREFIX_2_FIELD` to `PREFIX_99_FIELD`, by number.

        Each number is read by `read_settings`.
        """
        self.settings_by_prefix[f"{prefix}_2"] = settings  # the first number stands for all
        return {
            number: found
            for number in range(2, 100)
            if (found := self._read(settings, f"{prefix}_{number}")) is not None
        }

    def _read(self, settings: type[T], prefix: str) -> T | None:
        names = (variable_name(field, prefix) for field in msgspec.structs.fields(settings))
        given = next((name for name in names if self._variables.get(name)), None)
        if given is None:
            return None
        return convert_variables(settings, self._variables, prefix, missing=f" ({given} is set)")


def convert_variables(
    settings: type[T], variables: Mapping[str, str], prefix: str = "", *, missing: str = ""
) -> T:
    """Read the variable of every field. Raises SettingsError for all that are wrong.

    `missing` says why a variable is required.
    """
    draft, errors = draft_settings(settings, variables, prefix, missing=missing)
    raise_errors(errors)
    return draft


def draft_settings(
    settings: type[T], variables: Mapping[str, str], prefix: str = "", *, missing: str = ""
) -> tuple[T, list[SettingsError]]:
    """Read the variable of every field; return the values and the errors.

    A malformed variable has its default in the draft, a missing one without a default "".
    """
    values: dict[str, Any] = {}
    errors = []
    for field in msgspec.structs.fields(settings):
        name = variable_name(field, prefix)
        if field.required:
            values[field.name] = ""
        if text := variables.get(name):
            try:
                values[field.name] = msgspec.convert(
                    text, field.type, strict=False, dec_hook=_convert_text
                )
            except msgspec.ValidationError as error:
                errors.append(SettingsError(name, f"is malformed: {_describe(error, field, text)}"))
        elif field.required:
            errors.append(SettingsError(name, f"is missing{missing}"))
    return settings(**values), errors


def variable_name(field: msgspec.structs.FieldInfo, prefix: str = "") -> str:
    """Return the variable of a field."""
    return "_".join(filter(None, (prefix, field.encode_name.upper())))


def may_be_secret(variable: str) -> bool:
    """Whether the name of a variable says that its value must not be shown."""
    return _SECRET_NAME.search(variable) is not None


def is_secret(field: msgspec.structs.FieldInfo) -> bool:
    """Whether the value of a field must not be shown."""
    return SECRET in getattr(field.type, "__metadata__", ())


def _describe(error: msgspec.ValidationError, field: msgspec.structs.FieldInfo, text: str) -> str:
    """Return what is expected; never the value of a secret, which some messages quote."""
    reason = str(error)
    return "another form is expected" if is_secret(field) and text in reason else reason


def _convert_text(kind: type[Any], text: str) -> object:
    """Convert a text to a type that msgspec does not know."""
    value: object
    if kind is URL:
        value, expected = parse_secure_url(text), "an https URL"
    elif kind is Address:
        value, expected = parse_sender(text), "Name <address@domain>"
    else:
        raise NotImplementedError(f"a setting cannot be of the type {kind.__name__}")
    if value is None:
        raise ValueError(f"{expected} is expected")
    return value
