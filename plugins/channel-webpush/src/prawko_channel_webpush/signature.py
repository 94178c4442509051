"""The key by which push services know us, and the tokens that it signs (RFC 8292)."""

import base64
import binascii
import time

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from yarl import URL

PRIVATE_KEY_BYTES = 32
# Push services refuse tokens of more than 24 hours; ours may also be early or late.
TOKEN_SECONDS = 12 * 3600


def encode_base64(data: bytes) -> str:
    """Return URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64(text: str) -> bytes:
    """Return the bytes of URL-safe base64 without padding. Raises ValueError for anything else."""
    try:
        data = base64.b64decode(
            text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True
        )
    except binascii.Error:
        raise ValueError("not base64") from None
    if encode_base64(data) != text:
        raise ValueError("not base64 in its only form")
    return data


def generate_private_key() -> str:
    """Return a new private key, as the settings take it."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode_base64(number.to_bytes(PRIVATE_KEY_BYTES, "big"))


def parse_private_key(text: str) -> ec.EllipticCurvePrivateKey | None:
    """Return the key of a setting; None for a malformed one."""
    try:
        raw = decode_base64(text)
        if len(raw) != PRIVATE_KEY_BYTES:
            return None
        return ec.derive_private_key(int.from_bytes(raw, "big"), ec.SECP256R1())
    except ValueError:
        return None


def encode_public_key(private_key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public key that browsers subscribe with."""
    point = private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return encode_base64(point)


class TokenSigner:
    """Signs a token for each push service, and uses it for half of its life."""

    def __init__(self, private_key: ec.EllipticCurvePrivateKey, contact: str) -> None:
        self._vapid = Vapid02(private_key)
        self._subject = f"mailto:{contact}"
        self._headers: dict[str, tuple[float, str]] = {}

    def sign(self, endpoint: URL) -> str:
        """Return the Authorization header of a call."""
        origin, now = str(endpoint.origin()), time.time()
        expires_at, header = self._headers.get(origin, (0.0, ""))
        if expires_at - now < TOKEN_SECONDS / 2:
            expires_at = now + TOKEN_SECONDS
            claims = {"sub": self._subject, "aud": origin, "exp": int(expires_at)}
            header = str(self._vapid.sign(claims)["Authorization"])
            self._headers[origin] = expires_at, header
        return header
