"""Recovery codes: ten for each person, for the day when the authenticator app is lost."""

import secrets

from prawko.accounts.email_verification import CODE_ALPHABET
from prawko.kit.crypto import KeyRing
from prawko_tenants.ids import UserId

CODE_COUNT = 10
GROUPS, GROUP_LENGTH = 3, 4  # 60 bits; rate limits allow only a few tries


def new_recovery_codes() -> list[str]:
    """Return ten random codes such as `7KQD-M2XA-9TRC`."""
    return ["-".join(_new_group() for _ in range(GROUPS)) for _ in range(CODE_COUNT)]


def normalise_recovery_code(text: str) -> str:
    """Return a typed code without blanks and hyphens, in capital letters."""
    return "".join(text.replace("-", "").split()).upper()


def hash_recovery_code(key_ring: KeyRing, user_id: UserId, code: str) -> bytes:
    """Return the keyed digest to store, which does not reveal the code without the key."""
    return key_ring.digest("recovery_code", f"{user_id}:{normalise_recovery_code(code)}")


def _new_group() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(GROUP_LENGTH))
