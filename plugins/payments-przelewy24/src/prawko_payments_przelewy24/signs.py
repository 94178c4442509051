"""Przelewy24's signs: SHA-384 over certain fields in a certain order, as compact JSON.

Letters stand for themselves and a slash is not escaped; a single blank makes another sign.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping

REGISTER = ("sessionId", "merchantId", "amount", "currency")
VERIFY = ("sessionId", "orderId", "amount", "currency")
PAID = (
    "merchantId", "posId", "sessionId", "amount", "originAmount", "currency", "orderId",
    "methodId", "statement",
)  # fmt: skip
REFUNDED = (
    "orderId", "sessionId", "refundsUuid", "merchantId", "amount", "currency", "status",
)  # fmt: skip


def sign(names: tuple[str, ...], values: Mapping[str, object], crc: str) -> str:
    """The sign of the named values. Raises KeyError for a value that is not there."""
    signed = {**{name: values[name] for name in names}, "crc": crc}
    text = json.dumps(signed, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha384(text.encode()).hexdigest()


def is_signed(names: tuple[str, ...], values: Mapping[str, object], crc: str) -> bool:
    """Whether the values carry the sign that only Przelewy24 and we can make of them."""
    given = values.get("sign")
    if not isinstance(given, str) or any(name not in values for name in names):
        return False
    return hmac.compare_digest(given.encode(), sign(names, values, crc).encode())
