"""What is refused of a new password, form by form (spec, section 5; reading R15)."""

from prawko.accounts import passwords
from prawko.accounts.errors import InvalidPasswordError

SHORTEST_OF_FORM = 6  # the spec's message of the change form, shown before our own rules

FAULT_TEXTS = {fault: f"accounts.password.{fault.value}" for fault in passwords.PasswordFault}


def require_form(current: str, new: str, confirmed: str) -> None:
    """The change form: all three fields have six characters. Raises InvalidPasswordError."""
    typed = {"currentPassword": current, "newPassword": new, "confirmPassword": confirmed}
    short = [name for name, text in typed.items() if len(text) < SHORTEST_OF_FORM]
    if short:
        raise InvalidPasswordError(fields=dict.fromkeys(short, "accounts.password.form_too_short"))


def require_new(new: str, confirmed: str, *, refuse_common: bool) -> None:
    """Both forms: typed twice alike, then the rules. Raises InvalidPasswordError."""
    if new != confirmed:
        raise InvalidPasswordError(fields={"confirmPassword": "accounts.password.mismatch"})
    for fault in passwords.faults(new, refuse_common=refuse_common)[:1]:
        raise InvalidPasswordError(fields={"newPassword": FAULT_TEXTS[fault]})
