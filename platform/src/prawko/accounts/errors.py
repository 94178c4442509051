"""Errors of accounts."""

from prawko.accounts.roles import CompanyAct, name_roles
from prawko.kit.errors import AppError
from prawko.kit.text.i18n import Language, translate


class RoleForbiddenError(AppError):
    """The caller's role may not do the act; the sentence names the roles that may."""

    status = 403
    key = "role_forbidden"

    def __init__(self, act: CompanyAct) -> None:
        super().__init__()
        self.act = act

    def message(self, language: Language) -> str:
        return translate(f"errors.{self.key}", language, roles=name_roles(self.act, language))


class LastOwnerError(AppError):
    """The company would be left without an owner."""

    status = 409
    key = "last_owner"


class EmailTakenError(AppError):
    status = 409
    key = "email_taken"


class InvalidRegistrationError(AppError):
    status = 422
    key = "invalid_registration"


class LegalDocumentsOutdatedError(AppError):
    """A version that is accepted is not the current one."""

    status = 409
    key = "legal_documents_outdated"


class InvalidCredentialsError(AppError):
    status = 401
    key = "invalid_credentials"


class InvalidCodeError(AppError):
    """The code is wrong, expired, used, or had too many attempts; the answer is the same."""

    status = 400
    key = "invalid_code"


class InvalidEmailError(AppError):
    status = 422
    key = "invalid_email"


class InvalidPasswordError(AppError):
    status = 422
    key = "invalid_password"


class WrongPasswordError(AppError):
    """The current password of a password change is wrong."""

    status = 400
    key = "wrong_password"


class SecondFactorSetupRequiredError(AppError):
    """An operator has to set up a second factor before anything else."""

    status = 403
    key = "second_factor_setup_required"


class SecondFactorEnabledError(AppError):
    """The second factor is on already; it is switched off before another one is set up."""

    status = 409
    key = "second_factor_enabled"


class SecondFactorDisabledError(AppError):
    status = 409
    key = "second_factor_disabled"


class InvalidSecondFactorError(AppError):
    """The code is wrong, too old, used, or no recovery code; the answer is the same."""

    status = 400
    key = "invalid_second_factor"


class LastOperatorError(AppError):
    """The deletion would leave no operator for the console."""

    status = 409
    key = "last_operator"


class InvalidResetLinkError(AppError):
    """The link is wrong, expired or used; the answer is the same."""

    status = 400
    key = "invalid_reset_link"


class InvalidPhoneError(AppError):
    status = 422
    key = "invalid_phone"


class MalformedPhoneCodeError(AppError):
    """The typed text is no code; no attempt is counted."""

    status = 422
    key = "malformed_phone_code"


class InvalidPhoneCodeError(AppError):
    """The code is wrong, expired, used, had too many attempts or is another number's."""

    status = 400
    key = "invalid_phone_code"


class PhoneUnverifiedError(AppError):
    """SMS were switched on without a verified phone."""

    status = 422
    key = "phone_unverified"


class SmsUnavailableError(AppError):
    """No SMS channel is configured."""

    status = 503
    key = "sms_unavailable"
