"""What a person may choose about a demo: a few variables, refused by name."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from prawko.hooks.environment import SettingError

_Port = Annotated[int, Meta(ge=1, le=65535)]

HOST = "127.0.0.1"  # whatever is asked for: the doors are for this machine alone
REGISTERS = ("upki", "public")
SITE = Path("frontend/build/client")


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The choices. Without `database_url`, a superuser's, the embedded servers are started."""

    port: int
    home: Path
    fresh: bool
    data: bool
    timetable: bool
    register: str
    site: Path
    database_url: str | None
    redis_url: str | None

    @property
    def base_url(self) -> str:
        """Where people and scripts find the demo."""
        return f"http://{HOST}:{self.port}"


def read(variables: Mapping[str, str]) -> Options:
    """Read the choices. Raises SettingError naming the variable that cannot be."""
    given = {name: text for name, text in variables.items() if text}
    for one, other in (("DATABASE_URL", "REDIS_URL"), ("REDIS_URL", "DATABASE_URL")):
        if one in given and other not in given:
            raise SettingError(other, f"is missing ({one} is set)")
    register = given.get("REGISTER", REGISTERS[0])
    if register not in REGISTERS:
        raise SettingError("REGISTER", f"is malformed: {' or '.join(REGISTERS)} is expected")
    return Options(
        port=_port(given.get("PORT", "8000")),
        home=Path(given.get("PRAWKO_HOME", ".prawko")).absolute(),
        fresh=_switch(given, "FRESH", default=False),
        data=_switch(given, "DEMO_DATA", default=True),
        timetable=_switch(given, "TIMETABLE", default=True),
        register=register,
        site=_site(given.get("SITE")),
        database_url=given.get("DATABASE_URL"),
        redis_url=given.get("REDIS_URL"),
    )


def refuse_taken_port(options: Options) -> None:
    """Say so before anything is started. Raises SettingError."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, options.port))
        except OSError as error:
            reason = f"cannot be {options.port} ({os.strerror(error.errno or 0)})"
            raise SettingError(
                "PORT", f"{reason}: stop what runs there, or choose another"
            ) from None


def _port(text: str) -> int:
    try:
        return msgspec.convert(text, _Port, strict=False)
    except msgspec.ValidationError:
        raise SettingError("PORT", "is malformed: a number from 1 to 65535 is expected") from None


def _switch(given: Mapping[str, str], name: str, *, default: bool) -> bool:
    words = {"1": True, "true": True, "0": False, "false": False}
    text = given.get(name)
    if text is None:
        return default
    if text.lower() not in words:
        raise SettingError(name, "is malformed: 1 or 0 is expected")
    return words[text.lower()]


def _site(given: str | None) -> Path:
    """The built customer application, from wherever in the repository the demo is started."""
    if given is None:
        for folder in (Path.cwd(), *Path(__file__).parents):
            if (folder / SITE).is_dir():
                return folder / SITE
    return Path(given or SITE).absolute()
