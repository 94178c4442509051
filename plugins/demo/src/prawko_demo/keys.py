"""Secrets of one demo: made once, kept in the home where only its owner can read them."""

import base64
import os
import secrets
from pathlib import Path

import msgspec

from prawko.embedded import EmbeddedError
from prawko_tenants.roles import ROLE_NAMES

PRIVATE = 0o700
SECRET = 0o600
SECRET_BYTES = 48


class Keys(msgspec.Struct, frozen=True):
    """The product's SECRET_KEY, and a password for each login of the database."""

    secret_key: str
    passwords: dict[str, str]


def keep(folder: Path) -> Keys:
    """Read the secrets in `folder`, making them at the first start."""
    path = folder / "keys.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Keys)
    except FileNotFoundError:
        made = Keys(
            secret_key=base64.urlsafe_b64encode(secrets.token_bytes(SECRET_BYTES)).decode(),
            passwords={name: secrets.token_urlsafe(24) for name in ROLE_NAMES},
        )
        write_secret(path, msgspec.json.encode(made))
        return made
    except msgspec.DecodeError:
        raise EmbeddedError(
            f"{path} cannot be read: put it back as it was, or start with FRESH=1."
        ) from None


def write_secret(path: Path, content: bytes) -> None:
    """Write a file that nobody else may read; whole, or not at all."""
    draft = path.with_suffix(".new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with os.fdopen(os.open(draft, flags, SECRET), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
