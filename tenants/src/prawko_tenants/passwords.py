"""Passwords of database logins."""

import base64
import hashlib
import hmac
import secrets

SCRAM_ROUNDS = 4096


def draw_password() -> str:
    """Return a new random password."""
    return secrets.token_urlsafe(24)


def scram_verifier(password: str) -> str:
    """Return the SCRAM-SHA-256 verifier of a password, which keeps the password out of server logs.

    Raises ValueError for an empty or non-ASCII password.
    """
    if not password or not password.isascii():
        raise ValueError("a login's password must consist of ASCII characters")
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, SCRAM_ROUNDS)
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server = hmac.digest(salted, b"Server Key", "sha256")
    parts = (base64.b64encode(part).decode() for part in (salt, stored, server))
    return "SCRAM-SHA-256${}:{}${}:{}".format(SCRAM_ROUNDS, *parts)
