"""A plugin's window on the settings of the process: its own variables and nothing else."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


class SettingError(Exception):
    """A variable is missing or malformed; the process must not start. Names the variable."""

    def __init__(self, variable: str, reason: str) -> None:
        super().__init__(f"{variable} {reason}")
        self.variable = variable


class Environment:
    """The variables of one process, read into a plugin's own Struct."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def read(self, settings: type[T], prefix: str) -> T | None:
        """Read `PREFIX_FIELD` for every field of `settings`.

        Returns None when not one of them is set: the plugin is installed, not configured,
        and takes no part. Raises SettingError naming the first variable that is missing
        or malformed: a half-configured plugin stops the start.
        """
        given: dict[str, str] = {}
        for field in msgspec.structs.fields(settings):
            value = self._variables.get(f"{prefix}_{field.name.upper()}", "")
            if value != "":
                given[field.name] = value
        if not given:
            return None
        for field in msgspec.structs.fields(settings):
            if field.required and field.name not in given:
                raise SettingError(
                    f"{prefix}_{field.name.upper()}",
                    f"is missing ({prefix}_{next(iter(given)).upper()} is set)",
                )
        return self._convert(settings, prefix, given)

    @staticmethod
    def _convert(settings: type[T], prefix: str, given: dict[str, str]) -> T:
        hints = {f.name: f.type for f in msgspec.structs.fields(settings)}
        values: dict[str, object] = {}
        for name, text in given.items():
            try:
                values[name] = msgspec.convert(text, hints[name], strict=False)
            except msgspec.ValidationError as error:
                variable = f"{prefix}_{name.upper()}"
                raise SettingError(variable, f"is malformed: {error}") from None
        return settings(**values)
