"""The keys that providers know our payments by."""

import secrets

# Crockford's base 32: no I, L, O or U, so that a key can be read out of a transfer's title.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 12


def new_key() -> str:
    """A key that nobody guesses and that stands in no other payment: 60 random bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
