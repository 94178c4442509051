"""Encrypts a message so that only the browser can read it (RFC 8291)."""

import os

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec

from prawko.hooks.channels import PushSubscription
from prawko_channel_webpush.signature import decode_base64

POINT_BYTES = 65
AUTH_BYTES = 16
RECORD_SIZE = 4096


def has_whole_keys(subscription: PushSubscription) -> bool:
    """Return whether a browser's keys are a point of P-256 and a secret of 16 bytes."""
    try:
        _parse_keys(subscription)
    except ValueError:
        return False
    return True


def encrypt_payload(payload: bytes, subscription: PushSubscription) -> bytes:
    """Return the body of a call, with a key of its own. Raises ValueError for malformed keys."""
    point, auth = _parse_keys(subscription)
    encrypted = http_ece.encrypt(
        payload,
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=point,
        auth_secret=auth,
        rs=RECORD_SIZE,
        version="aes128gcm",
    )
    return bytes(encrypted)


def _parse_keys(subscription: PushSubscription) -> tuple[bytes, bytes]:
    point, auth = decode_base64(subscription.p256dh), decode_base64(subscription.auth)
    if len(point) != POINT_BYTES or len(auth) != AUTH_BYTES:
        raise ValueError("a key has another length")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    return point, auth
