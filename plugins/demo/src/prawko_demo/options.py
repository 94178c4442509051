"""The options of a demo, from environment variables."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.apps.web.asgi import NO_FRONTEND
from prawko.hooks.environment import SettingsError
from prawko_demo.foreign_plugins import (
    OWN_CHOICES,
    find_plugin_variables,
    read_choices,
    select_disabled,
)

_Port = Annotated[int, Meta(ge=1, le=65535)]

HOST = "127.0.0.1"  # always: the developer tools have no authentication
FRONTEND_BUILD = Path("frontend/build/client")
CONSOLE_BUILD = Path("admin-ui/build")


class DemoOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Parsed options. `database_url` is a superuser's; without it the embedded servers are used.

    `choices` are the variables that name plugins, `plugin_variables` those of plugins of others
    among them.
    """

    port: int
    home: Path
    fresh: bool
    seed_data: bool
    scheduler_enabled: bool
    choices: dict[str, str]
    plugin_variables: dict[str, str]
    frontend_dir: Path
    console_dir: str
    database_url: str | None
    redis_url: str | None

    @property
    def base_url(self) -> str:
        """The demo's URL."""
        return f"http://{HOST}:{self.port}"

    @property
    def for_seeding(self) -> "DemoOptions":
        """The same with the demo's own plugins, so that invented history is not sent."""
        disabled = select_disabled(self.plugin_variables)
        return msgspec.structs.replace(self, choices=OWN_CHOICES, plugin_variables=disabled)


def parse_options(variables: Mapping[str, str]) -> DemoOptions:
    """Parse the options; empty variables count as missing. Raises SettingsError and PluginError."""
    given = {name: text for name, text in variables.items() if text}
    for name, other in (("DATABASE_URL", "REDIS_URL"), ("REDIS_URL", "DATABASE_URL")):
        if name in given and other not in given:
            raise SettingsError(other, f"is missing ({name} is set)")
    choices = read_choices(given)
    return DemoOptions(
        port=_parse_port(given.get("PORT", "8000")),
        home=Path(given.get("PRAWKO_HOME", ".prawko")).absolute(),
        fresh=_parse_switch(given, "FRESH", default=False),
        seed_data=_parse_switch(given, "DEMO_DATA", default=True),
        scheduler_enabled=_parse_switch(given, "TIMETABLE", default=True),
        choices=choices,
        plugin_variables=find_plugin_variables(choices, given),
        frontend_dir=_find_build(FRONTEND_BUILD, given.get("FRONTEND_DIR")),
        console_dir=_find_console(given.get("CONSOLE_DIR")),
        database_url=given.get("DATABASE_URL"),
        redis_url=given.get("REDIS_URL"),
    )


def ensure_port_free(options: DemoOptions) -> None:
    """Raise SettingsError where the port is in use, before anything is started."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, options.port))
        except OSError as error:
            reason = f"cannot be {options.port} ({os.strerror(error.errno or 0)})"
            raise SettingsError(
                "PORT", f"{reason}: stop what runs there, or choose another"
            ) from None


def _parse_port(text: str) -> int:
    try:
        return msgspec.convert(text, _Port, strict=False)
    except msgspec.ValidationError:
        raise SettingsError("PORT", "is malformed: a number from 1 to 65535 is expected") from None


def _parse_switch(given: Mapping[str, str], name: str, *, default: bool) -> bool:
    values = {"1": True, "true": True, "0": False, "false": False}
    text = given.get(name)
    if text is None:
        return default
    if text.lower() not in values:
        raise SettingsError(name, "is malformed: 1 or 0 is expected")
    return values[text.lower()]


def _find_console(configured: str | None) -> str:
    """Return the console's build, or NO_FRONTEND: a demo runs without it."""
    if configured == NO_FRONTEND:
        return NO_FRONTEND
    folder = _find_build(CONSOLE_BUILD, configured)
    return str(folder) if configured or (folder / "index.html").is_file() else NO_FRONTEND


def _find_build(build: Path, configured: str | None) -> Path:
    """Return a build: as configured, or from any folder of the repository."""
    if configured is None:
        for folder in (Path.cwd(), *Path(__file__).parents):
            if (folder / build).is_dir():
                return folder / build
    return Path(configured or build).absolute()
