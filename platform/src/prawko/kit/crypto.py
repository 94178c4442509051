"""Encryption at rest and keyed digests.

Each purpose has its own key, derived from SECRET_KEY. Raw answers of the register are encrypted
with ANSWER_KEYS, because they outlive a change of SECRET_KEY: the first key encrypts, all of
them decrypt, and `prawko answers reencrypt` moves old rows to the first.
"""

import hashlib
import hmac
import os
from collections.abc import Mapping
from functools import cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

NONCE_BYTES = 12


class DecryptionError(Exception):
    """A value cannot be decrypted: its key is missing, or it was modified or moved."""


class Cipher:
    """AES-256-GCM with named keys. The caller stores the key's id beside the ciphertext."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._aeads = {name: AESGCM(key) for name, key in keys.items()}
        self.current_key_id = next(iter(keys))

    def encrypt(self, plaintext: bytes, *, associated_data: bytes) -> bytes:
        """Encrypt with the current key; `associated_data` binds the ciphertext to its row."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._aeads[self.current_key_id].encrypt(nonce, plaintext, associated_data)

    def decrypt(self, key_id: str, encrypted: bytes, *, associated_data: bytes) -> bytes:
        """Decrypt what `encrypt` returned. Raises DecryptionError."""
        aead = self._aeads.get(key_id)
        if aead is None:
            raise DecryptionError(key_id)
        try:
            return aead.decrypt(encrypted[:NONCE_BYTES], encrypted[NONCE_BYTES:], associated_data)
        except InvalidTag:
            raise DecryptionError(key_id) from None


class KeyRing:
    """Keys derived from the secret of the installation."""

    def __init__(self, secret: bytes, answer_keys: Mapping[str, bytes] | None = None) -> None:
        self._secret = secret
        self.answer_cipher = Cipher(answer_keys or {"derived": self.derive_key("answers")})
        self.payload_cipher = Cipher({"payload": self.derive_key("payloads")})
        self.second_factor_cipher = Cipher({"derived": self.derive_key("second_factors")})

    @cache  # noqa: B019 (a key ring lives as long as its process)
    def derive_key(self, purpose: str) -> bytes:
        """Return the 32-byte key of a purpose."""
        return HKDF(SHA256(), 32, salt=b"prawko", info=purpose.encode()).derive(self._secret)

    def digest(self, purpose: str, value: str) -> bytes:
        """Return the HMAC-SHA256 of a code, token or identifier, to store in its place."""
        return hmac.new(self.derive_key(purpose), value.encode(), hashlib.sha256).digest()
