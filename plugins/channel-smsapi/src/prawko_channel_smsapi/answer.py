"""What SMSAPI's answers mean in the words that all plugins share.

It answers 200 to nearly everything: an answer counts as a success only if it names exactly
one message.
"""

import msgspec

from prawko.hooks.carrier_connection import CarrierReply, unwell
from prawko.hooks.channels import DeliveryError
from prawko.hooks.failures import AccountError

SENT_BEFORE = 53
NO_NUMBER = frozenset({13, 33})
# A refused login, no credits, a filtered address of ours, a closed service; and what only the
# account's settings can cure: a sender it may not use (14), a report address it cannot (70).
OUR_ACCOUNT = frozenset({14, 70, 101, 102, 103, 105, 110, 1000, 1001})
LONGEST_REFERENCE = 200


class _Message(msgspec.Struct):
    id: str = ""
    error: int | str | None = None


class _Answer(msgspec.Struct):
    messages: list[_Message] = msgspec.field(name="list", default_factory=list)
    error: int | str | None = None
    message: str = ""


def read_answer(reply: CarrierReply) -> str | None:
    """The message's id; None when SMSAPI has had this message before.

    Raises DeliveryError or AccountError.
    """
    answer = _decoded(reply.body)
    code = _code(answer)
    if code == SENT_BEFORE:
        return None
    if code is not None:
        raise _meaning(code, answer.message if answer else "")
    if (failure := unwell(reply)) is not None:
        raise failure
    if (
        reply.status >= 300
        or answer is None
        or len(answer.messages) != 1
        or not answer.messages[0].id
    ):
        raise DeliveryError(reply.said)
    return answer.messages[0].id[:LONGEST_REFERENCE]


def _decoded(body: bytes) -> _Answer | None:
    try:
        return msgspec.json.decode(body, type=_Answer, strict=False)
    except msgspec.MsgspecError:
        return None


def _code(answer: _Answer | None) -> int | None:
    """The number of the error, of the call or of its one message."""
    if answer is None:
        return None
    errors = [answer.error, *(message.error for message in answer.messages)]
    numbers = [int(error) for error in errors if error and str(error).isdecimal()]
    return next((number for number in numbers if number), None)


def _meaning(code: int, words: str) -> DeliveryError | AccountError:
    said = f"the carrier said {code} {words}".rstrip()
    if code in OUR_ACCOUNT:
        return AccountError(said)
    return DeliveryError(said, permanent=code in NO_NUMBER)
