"""Keys of the process: sealing what may not be stored plainly, and digests of secrets.

Every purpose has a key of its own, derived from SECRET_KEY. The raw answers of the register
are sealed with ANSWER_KEYS, because they outlive a change of SECRET_KEY: the first key seals,
all of them open, and `prawko answers reseal` moves old rows to the first.
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


class LostKeyError(Exception):
    """A sealed value names a key this process was not given."""


class Seal:
    """AES-256-GCM under named keys; the name of the key travels with the row, not in it."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._ciphers = {name: AESGCM(key) for name, key in keys.items()}
        self.current = next(iter(keys))

    def close(self, plain: bytes, *, about: bytes) -> bytes:
        """Seal `plain` with the current key; `about` binds it to its row."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._ciphers[self.current].encrypt(nonce, plain, about)

    def open(self, key_id: str, sealed: bytes, *, about: bytes) -> bytes:
        """Open what `close` made. Raises LostKeyError without its key or if it was changed."""
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise LostKeyError(key_id)
        try:
            return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about)
        except InvalidTag:
            raise LostKeyError(key_id) from None


class Vault:
    """The keys derived from the process's secret."""

    def __init__(self, secret: bytes, answer_keys: Mapping[str, bytes] | None = None) -> None:
        self._secret = secret
        self.answers = Seal(answer_keys or {"derived": self.key("answers")})
        self.payloads = Seal({"payload": self.key("payloads")})

    @cache  # noqa: B019 (one vault lives as long as its process)
    def key(self, purpose: str) -> bytes:
        """The 32-byte key of one purpose."""
        return HKDF(SHA256(), 32, salt=b"prawko", info=purpose.encode()).derive(self._secret)

    def digest(self, purpose: str, value: str) -> bytes:
        """HMAC-SHA256 of a code, token or identifier: stored in its place."""
        return hmac.new(self.key(purpose), value.encode(), hashlib.sha256).digest()
