"""Validates what plugins return, where it comes in.

Python checks no annotation: a field of the wrong type would fail where it is stored or rendered,
and make everything fail that is stored or rendered with it.
"""

from typing import TypeVar, cast

import msgspec

from prawko.hooks.webhooks import MAX_EVENT_ID_LENGTH
from prawko.kit.providers.calls import PluginValueError, type_name

T = TypeVar("T")

MAX_BYTES = 256 * 1024
_NUL = b"\\u0000"  # as JSON has it; PostgreSQL stores none


def validate_struct(value: object, expected: type[T]) -> T:
    """Return a struct that a plugin returned, with every value of its declared type.

    Raises PluginValueError, also for NUL characters and for more than MAX_BYTES.
    """
    name = expected.__name__
    if not isinstance(value, expected):
        raise PluginValueError(f"it returned {type_name(value)} instead of {name}")
    try:
        encoded = msgspec.json.encode(value)
        checked = msgspec.json.decode(encoded, type=expected)
    except Exception as error:
        raise PluginValueError(f"it returned {name} with a value of another type") from error
    if len(encoded) > MAX_BYTES:
        raise PluginValueError(f"it returned {name} of {len(encoded)} bytes")
    if _NUL in encoded:
        raise PluginValueError(f"it returned {name} with NUL characters")
    return checked


def is_valid_id(text: str) -> bool:
    """Whether a provider's id can be stored: printable, not empty and not too long."""
    return 0 < len(text) <= MAX_EVENT_ID_LENGTH and text.isprintable()


def validate_reference(value: object) -> tuple[str | None, PluginValueError | None]:
    """Return a carrier's reference as it can be stored, and what was wrong with the value.

    Never raises: the carrier has the message, which must not be sent again for a wrong reference.
    """
    if value is None:
        return None, None
    if not issubclass(type(value), str):
        return None, PluginValueError(f"send returned {type_name(value)}")
    text = str.__str__(cast(str, value))  # without the methods of a class derived from str
    reference = "".join(filter(str.isprintable, text[:MAX_EVENT_ID_LENGTH]))
    if reference == text:
        return reference or None, None
    return reference or None, PluginValueError("send returned a reference that cannot be stored")
