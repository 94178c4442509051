"""Codes of authenticator apps (RFC 6238): six digits, a new one every 30 seconds."""

import re
from datetime import datetime
from math import ceil

import pyotp
from pyotp.utils import strings_equal

from prawko.kit.clock import MAX_CLOCK_SKEW

STEP_SECONDS = 30
TOLERATED_STEPS = (0, -1, 1)  # the code of this step, and those of telephones half a minute off
# Between the step of a code and that of one used before, on a machine whose clock was ahead.
MAX_STEPS_AHEAD = 2 * max(TOLERATED_STEPS) + ceil(MAX_CLOCK_SKEW.total_seconds() / STEP_SECONDS)

_CODE = re.compile(r"[0-9]{6}")


def new_totp_secret() -> str:
    """Return a random secret of 160 bits, in the base32 that people can type."""
    return pyotp.random_base32()


def is_totp_code(text: str) -> bool:
    """Whether a text looks like a code of an authenticator app."""
    return _CODE.fullmatch(text) is not None


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
