"""Negotiates the encoding of a response (RFC 9110, section 12.5.3)."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

_WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")


def negotiate_encoding(accept_encoding: str, available: Sequence[str]) -> str | None:
    """Return the encoding of `available` that the client prefers; None for an unencoded response.

    Of equally preferred ones the first is taken. An unencoded response is preferred only if the
    client says so.
    """
    weights = _parse_weights(accept_encoding)
    best, best_weight = None, 0.0
    for encoding in available:
        weight = weights.get(encoding, weights.get("*", 0.0))
        if weight > best_weight:
            best, best_weight = encoding, weight
    return None if weights.get("identity", 0.0) > best_weight else best


@lru_cache(maxsize=256)
def _parse_weights(accept_encoding: str) -> Mapping[str, float]:
    """Return the weight of each encoding; one with a malformed weight is left out."""
    weights = {}
    for item in accept_encoding.split(","):
        name, *parameters = (part.strip().lower() for part in item.split(";"))
        weight = "1"
        for parameter in parameters:
            key, _, value = parameter.partition("=")
            if key.strip() == "q":
                weight = value.strip()
        if name and _WEIGHT.fullmatch(weight):
            weights[name] = float(weight)
    return weights
