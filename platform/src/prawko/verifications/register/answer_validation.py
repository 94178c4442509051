"""Validates what a register's plugin returns or raises, where it comes in.

A wrong answer is an error of the register and costs one driver: further on it would fail the
batch in which it is written.
"""

from prawko.hooks.licence_register import (
    LicenceAnswer,
    LicenceQuery,
    RegisterError,
    RegisterErrorKind,
)
from prawko.kit.backoff import bounded_delay
from prawko.kit.providers.answers import validate_struct
from prawko.kit.providers.availability import LONGEST_PAUSE
from prawko.kit.providers.calls import describe_error


def validate_answer(answer: object, query: LicenceQuery) -> LicenceAnswer | None:
    """Return the answer; None is no such document.

    Raises PluginValueError, and RegisterError for an answer about another document.
    """
    if answer is None:
        return None
    checked = validate_struct(answer, LicenceAnswer)
    if checked.number != query.number:
        raise RegisterError(
            RegisterErrorKind.INVALID_RESPONSE, "the answer has another licence number"
        )
    return checked


def validate_error(error: RegisterError) -> RegisterError:
    """Return the error with a kind and a delay that can be relied on."""
    kind = getattr(error, "kind", None)
    delay = bounded_delay(getattr(error, "retry_after", None), longest=LONGEST_PAUSE)
    return RegisterError(
        kind if isinstance(kind, RegisterErrorKind) else RegisterErrorKind.INVALID_RESPONSE,
        describe_error(error),
        retry_after=None if delay is None else delay.total_seconds(),
    )
