"""Who may change a subscription's status into which (spec, section 4; readings R3 to R5). Pure.

The spec shows no transitions; these are ours. What an operator has set, inactive or cancelled,
nobody but an operator changes: a payment that comes for such a subscription is kept and flagged
(reading R23). A trial is a subscription of its own, and so is what a company orders after its
last one was cancelled: both begin without an old status. Nobody writes the word `trial`, though
an operator may change it where it stands.
"""

from enum import StrEnum

from prawko.billing.notes import Note
from prawko.billing.status import Status


class By(StrEnum):
    """Whose word a change is."""

    CUSTOMER = "customer"
    PAYMENT = "payment"  # the provider's confirmed word, or a transfer an operator has booked
    TIME = "time"  # an end that has come
    OPERATOR = "operator"


class ForbiddenChangeError(ValueError):
    """A change that is not in the table; nothing was changed."""


Change = tuple[By, Status | None, Status, Note]

_FROM_OPERATORS = (Status.ACTIVE, Status.INACTIVE, Status.CANCELLED)

ALLOWED: frozenset[Change] = frozenset(
    {
        (By.CUSTOMER, None, Status.ACTIVE, Note.TRIAL_STARTED),
        # Cancelling and resuming change what happens at the end; access stays (reading R5).
        (By.CUSTOMER, Status.ACTIVE, Status.ACTIVE, Note.CANCELLED),
        (By.CUSTOMER, Status.ACTIVE, Status.ACTIVE, Note.RESUMED),
        (By.CUSTOMER, Status.ACTIVE, Status.ACTIVE, Note.LIMIT_LOWERED),
        (By.CUSTOMER, Status.ACTIVE, Status.ACTIVE, Note.LIMIT_COVERED),
        # In the grace of a renewal that failed: it shall not be charged any more.
        (By.CUSTOMER, Status.EXPIRED, Status.EXPIRED, Note.CANCELLED),
        (By.PAYMENT, None, Status.ACTIVE, Note.PAID),
        (By.PAYMENT, Status.ACTIVE, Status.ACTIVE, Note.PROLONGED),
        (By.PAYMENT, Status.ACTIVE, Status.ACTIVE, Note.LIMIT_RAISED),
        (By.PAYMENT, Status.EXPIRED, Status.ACTIVE, Note.PAID_AFTER_END),
        # The limit of the next period, once it has begun; also behind a panel that is closed.
        (By.TIME, Status.ACTIVE, Status.ACTIVE, Note.LIMIT_CHANGED),
        (By.TIME, Status.EXPIRED, Status.EXPIRED, Note.LIMIT_CHANGED),
        (By.TIME, Status.ACTIVE, Status.EXPIRED, Note.TRIAL_ENDED),
        (By.TIME, Status.ACTIVE, Status.EXPIRED, Note.ENDED),
        (By.TIME, Status.ACTIVE, Status.EXPIRED, Note.RENEWAL_FAILED),
        (By.TIME, Status.ACTIVE, Status.CANCELLED, Note.TRIAL_ENDED),
        (By.TIME, Status.ACTIVE, Status.CANCELLED, Note.ENDED_AFTER_CANCELLING),
        *(
            (By.OPERATOR, old, new, Note.SET_BY_OPERATOR)
            for old in (None, *Status)
            for new in _FROM_OPERATORS
        ),
    }
)


def check_change(by: By, old: str | None, new: str, note: Note) -> None:
    """Raise ForbiddenChangeError unless the table has this change with this note.

    `old` is the stored status, None for a new subscription.
    """
    change = (by, None if old is None else Status(old), Status(new), note)
    if change not in ALLOWED:
        raise ForbiddenChangeError(f"{by} may not change {old} into {new} ({note})")
