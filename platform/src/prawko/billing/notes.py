"""What the subscription history says of each change (spec, section 3)."""

from enum import StrEnum

from prawko.base.texts import Language, say


class Note(StrEnum):
    """The kinds of note; their texts stand under `billing.notes`."""

    TRIAL_STARTED = "trial_started"
    TRIAL_ENDED = "trial_ended"
    PAID = "paid"
    PROLONGED = "prolonged"
    PAID_AFTER_END = "paid_after_end"
    LIMIT_RAISED = "limit_raised"
    LIMIT_COVERED = "limit_covered"
    LIMIT_LOWERED = "limit_lowered"
    LIMIT_CHANGED = "limit_changed"
    CANCELLED = "cancelled"
    RESUMED = "resumed"
    ENDED = "ended"
    ENDED_AFTER_CANCELLING = "ended_after_cancelling"
    RENEWAL_FAILED = "renewal_failed"
    SET_BY_OPERATOR = "set_by_operator"


def note_text(note: Note, **params: object) -> str:
    """The note as it is stored: once, so in the language of the operator.

    The limits take `limit`, the cancelling takes `until`, a Warsaw date.
    """
    return say(f"billing.notes.{note}", Language.PL, **params)
