"""Creates the references by which providers know our payments."""

import secrets

# Crockford's base 32: without I, L, O and U, which are misread in transfer titles.
REFERENCE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
REFERENCE_LENGTH = 12


def new_reference() -> str:
    """Return a unique reference that cannot be guessed: 60 random bits."""
    return "".join(secrets.choice(REFERENCE_ALPHABET) for _ in range(REFERENCE_LENGTH))
