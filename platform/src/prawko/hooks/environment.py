"""Reads a plugin's settings from the environment variables of the process."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


class SettingsError(Exception):
    """A variable is missing or malformed; the process must not start. Names the variable."""

    def __init__(self, variable: str, reason: str) -> None:
        super().__init__(f"{variable} {reason}")
        self.variable = variable


class Environment:
    """The variables of one process."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def read_settings(self, settings: type[T], prefix: str) -> T | None:
        """Read `PREFIX_FIELD` for every field of the Struct `settings`.

        Returns None if none of them is set: the plugin is installed but not configured. An
        empty variable counts as not set. Raises SettingsError for the first variable that is
        missing or malformed, so that a half-configured plugin stops the start.
        """
        texts: dict[str, str] = {}
        for field in msgspec.structs.fields(settings):
            value = self._variables.get(f"{prefix}_{field.name.upper()}", "")
            if value != "":
                texts[field.name] = value
        if not texts:
            return None
        for field in msgspec.structs.fields(settings):
            if field.required and field.name not in texts:
                raise SettingsError(
                    f"{prefix}_{field.name.upper()}",
                    f"is missing ({prefix}_{next(iter(texts)).upper()} is set)",
                )
        return self._convert_values(settings, prefix, texts)

    @staticmethod
    def _convert_values(settings: type[T], prefix: str, texts: Mapping[str, str]) -> T:
        types = {field.name: field.type for field in msgspec.structs.fields(settings)}
        values: dict[str, object] = {}
        for name, text in texts.items():
            try:
                values[name] = msgspec.convert(text, types[name], strict=False)
            except msgspec.ValidationError as error:
                variable = f"{prefix}_{name.upper()}"
                raise SettingsError(variable, f"is malformed: {error}") from None
        return settings(**values)
