"""The demo's secrets: generated at the first start, stored in its folder."""

import base64
import secrets
from pathlib import Path

import msgspec

from prawko_embedded import EmbeddedError
from prawko_embedded.secret_file import write_secret_file
from prawko_tenants.roles import ROLE_NAMES

SECRET_KEY_BYTES = 48
PASSWORD_BYTES = 24


class DemoSecrets(msgspec.Struct, frozen=True):
    """The product's SECRET_KEY, and a password for each database role."""

    secret_key: str
    passwords: dict[str, str]


def load_or_create_secrets(folder: Path) -> DemoSecrets:
    """Read the secrets in `folder`, or generate and store them.

    Raises EmbeddedError for a damaged file.
    """
    path = folder / "keys.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=DemoSecrets)
    except FileNotFoundError:
        generated = DemoSecrets(
            secret_key=base64.urlsafe_b64encode(secrets.token_bytes(SECRET_KEY_BYTES)).decode(),
            passwords={name: secrets.token_urlsafe(PASSWORD_BYTES) for name in ROLE_NAMES},
        )
        write_secret_file(path, msgspec.json.encode(generated))
        return generated
    except msgspec.DecodeError:
        raise EmbeddedError(
            f"{path} cannot be read: put it back as it was, or start with FRESH=1."
        ) from None
