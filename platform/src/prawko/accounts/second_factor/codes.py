"""The codes of the second factor: those of authenticator apps (RFC 6238), and recovery codes.

An app shows six digits, others every 30 seconds, by a secret that it reads from a QR code.
"""

import re
import secrets
from datetime import datetime
from math import ceil

import msgspec
import pyotp
import segno
from pyotp.utils import strings_equal

from prawko.accounts.one_time_codes import CODE_ALPHABET
from prawko.kit.clock import MAX_CLOCK_SKEW
from prawko.kit.crypto import KeyRing
from prawko.kit.text.letters import strip_separators
from prawko_tenants.ids import UserId

STEP_SECONDS = 30
TOLERATED_STEPS = (0, -1, 1)  # the code of this step, and those of telephones half a minute off
# Between the step of a code and that of one used before, on a machine whose clock was ahead.
MAX_STEPS_AHEAD = 2 * max(TOLERATED_STEPS) + ceil(MAX_CLOCK_SKEW.total_seconds() / STEP_SECONDS)

CODE_COUNT = 10
GROUPS, GROUP_LENGTH = 3, 4  # 60 bits; rate limits allow only a few tries
_TOTP_CODE = re.compile(r"[0-9]{6}")


def new_totp_secret() -> str:
    """Return a random secret of 160 bits, in the base32 that people can type."""
    return pyotp.random_base32()


def is_totp_code(text: str) -> bool:
    """Whether a text looks like a code of an authenticator app."""
    return _TOTP_CODE.fullmatch(text) is not None


def build_otpauth_uri(secret: str, *, account: str, issuer: str) -> str:
    """Return the address that authenticator apps read from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=account, issuer_name=issuer)


def find_step(secret: str, code: str, system_now: datetime) -> int | None:
    """Return the time step whose code this is; None when it is none of the tolerated ones.

    All of them are compared, each in constant time.
    """
    totp, current = pyotp.TOTP(secret), int(system_now.timestamp()) // STEP_SECONDS
    matching = [
        current + offset
        for offset in TOLERATED_STEPS
        if strings_equal(totp.generate_otp(current + offset), code)
    ]
    return max(matching, default=None)


def new_recovery_codes() -> list[str]:
    """Return ten random codes such as `7KQD-M2XA-9TRC`."""
    return ["-".join(_new_group() for _ in range(GROUPS)) for _ in range(CODE_COUNT)]


def hash_recovery_code(key_ring: KeyRing, user_id: UserId, code: str) -> bytes:
    """Return the keyed digest to store of a code, however it is typed.

    The digest does not reveal the code without the key.
    """
    return key_ring.digest("recovery_code", f"{user_id}:{strip_separators(code).upper()}")


def _new_group() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(GROUP_LENGTH))


class QrCode(msgspec.Struct, frozen=True):
    """A square of `size` modules; `path` has the dark ones, for `<path d>`."""

    size: int
    path: str


def draw_qr_code(text: str) -> QrCode:
    """Return the QR code of a text, without its quiet zone."""
    rows = [bytes(row) for row in segno.make_qr(text, error="m").matrix]
    return QrCode(len(rows), "".join(_runs(y, row) for y, row in enumerate(rows)))


def _runs(y: int, row: bytes) -> str:
    """Return the dark runs of a row: one line of the path each."""
    parts, start = [], None
    for x, is_dark in enumerate([*row, 0]):
        if is_dark and start is None:
            start = x
        elif not is_dark and start is not None:
            parts.append(f"M{start} {y}h{x - start}v1h-{x - start}z")
            start = None
    return "".join(parts)
