"""References that carriers give to messages, as their plugins return them."""

from prawko.hooks.webhooks import MAX_EVENT_ID_LENGTH
from prawko.kit.providers.calls import PluginValueError


def validate_reference(answer: object) -> tuple[str | None, PluginValueError | None]:
    """Return the reference that can be stored, and what was wrong with the answer.

    Never raises: the carrier has the message, which must not be sent again for a wrong reference.
    """
    if answer is None or answer == "":
        return None, None
    if not isinstance(answer, str):
        return None, PluginValueError(f"send returned {type(answer).__name__}")
    reference = "".join(filter(str.isprintable, answer[:MAX_EVENT_ID_LENGTH]))
    if reference == answer:
        return reference, None
    return reference or None, PluginValueError("send returned a reference that cannot be stored")
