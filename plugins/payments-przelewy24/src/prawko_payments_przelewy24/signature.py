"""Computes and verifies Przelewy24's signatures: SHA-384 of ordered fields as compact JSON.

Neither non-ASCII letters nor slashes are escaped, and there are no spaces.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping

REGISTER_FIELDS = ("sessionId", "merchantId", "amount", "currency")
VERIFY_FIELDS = ("sessionId", "orderId", "amount", "currency")
PAYMENT_FIELDS = (
    "merchantId", "posId", "sessionId", "amount", "originAmount", "currency", "orderId",
    "methodId", "statement",
)  # fmt: skip
REFUND_FIELDS = (
    "orderId", "sessionId", "refundsUuid", "merchantId", "amount", "currency", "status",
)  # fmt: skip


def compute_signature(names: tuple[str, ...], values: Mapping[str, object], crc: str) -> str:
    """Return the signature of the named values. Raises KeyError for a missing one."""
    signed = {**{name: values[name] for name in names}, "crc": crc}
    text = json.dumps(signed, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha384(text.encode()).hexdigest()


def has_valid_signature(names: tuple[str, ...], values: Mapping[str, object], crc: str) -> bool:
    """Return whether the values contain their valid signature."""
    sign = values.get("sign")
    if not isinstance(sign, str) or any(name not in values for name in names):
        return False
    return hmac.compare_digest(sign.encode(), compute_signature(names, values, crc).encode())
