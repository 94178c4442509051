"""What a provider reported of a person's address, as the account shows it."""

from enum import StrEnum


class EmailProblem(StrEnum):
    """Why an address was switched off."""

    BOUNCED = "bounced"
    DROPPED = "dropped"
    SPAM = "spam"


def email_problem(state: str) -> EmailProblem | None:
    """The problem that `user_account.email_state` names; None while the address works."""
    return EmailProblem(state) if state in set(EmailProblem) else None
