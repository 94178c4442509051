"""Request and response models of accounts, phones and the second factor."""

from datetime import date, datetime
from typing import Annotated, Literal, Protocol, runtime_checkable
from uuid import UUID

from msgspec import Meta

from prawko.accounts import email_address
from prawko.accounts.email_address import EmailProblem
from prawko.accounts.legal_documents import LegalDocument
from prawko.accounts.passwords.policy import MIN_PASSWORD_LENGTH, PasswordIssue
from prawko.accounts.roles import CompanyAct, Role
from prawko.accounts.second_factor.codes import QrCode
from prawko.kit.http.schemas import RequestModel, ResponseModel, openapi_constraints
from prawko.kit.text.i18n import Language
from prawko_tenants.sessions import TenantSession

Text = Annotated[str, Meta(max_length=5000)]
EMAIL_META = openapi_constraints(
    pattern=email_address.OPENAPI_PATTERN, max_length=email_address.MAX_LENGTH
)
EmailText = Annotated[Text, EMAIL_META]
NewPasswordText = Annotated[Text, openapi_constraints(min_length=MIN_PASSWORD_LENGTH)]

# The limits of an order, which billing defines.
PlannedDrivers = Annotated[int, Meta(ge=5, le=10_000)]

PhoneText = Annotated[str, openapi_constraints(pattern=r"^\+48[0-9]{9}$")]
CodeText = Annotated[str, openapi_constraints(pattern=r"^[0-9]{6}$")]


class CredentialsIn(RequestModel):
    """E-mail address and password of a login."""

    email: Text
    password: Text


class RegistrationIn(RequestModel):
    """A sign-up. Sending it accepts the current legal documents (the form asks for that)."""

    email: EmailText
    password: NewPasswordText
    language: Language | None = None
    planned_drivers: PlannedDrivers | None = None


class EmailCodeIn(RequestModel):
    """The code of the verification mail, as typed."""

    token: Text


class LanguageIn(RequestModel):
    """The new language of the account."""

    language: Language


class ListView(RequestModel):
    """How the account's lists of drivers are shown: rows on a page, and less space around each."""

    page_size: Literal[10, 25, 50, 100, 200]
    dense_rows: bool


class EmailIn(RequestModel):
    """The e-mail address to send a reset link to."""

    email: EmailText


class ResetTokenIn(RequestModel):
    """The token of a reset link."""

    token: Text


class NewPasswordIn(RequestModel):
    """The token of a reset link, and the new password twice."""

    token: Text
    new_password: Text
    confirm_password: Text


class PasswordChangeIn(RequestModel):
    """The current password, and the new one twice."""

    current_password: Text
    new_password: Text
    confirm_password: Text


class PasswordIn(RequestModel):
    """A password while it is typed."""

    password: Text


class AcceptedDocument(RequestModel):
    """The version of a legal document that was shown."""

    document: LegalDocument
    version: date


class LegalAcceptancesIn(RequestModel):
    """The documents that the caller accepts."""

    documents: Annotated[list[AcceptedDocument], Meta(min_length=1, max_length=10)]


class LoginOut(ResponseModel):
    """The result of a login; the address may be unverified."""

    ok: bool
    email_verified: bool


class MessageOut(ResponseModel):
    """A success and the message to show."""

    ok: bool
    message: str


class EmailCodeOut(MessageOut):
    """A code was sent, or the address is verified already and none is needed."""

    email_verified: bool


class LanguageOut(ResponseModel):
    """The language of the account."""

    language: Language


class PasswordIssuesOut(ResponseModel):
    """The rules that a password breaks, for the live checklist.

    `common` is always listed; `refused` says whether the password would be refused, which a
    common one is not where the setting is off.
    """

    faults: list[PasswordIssue]
    refused: bool


class SessionOut(ResponseModel):
    """A session of the caller; `current` marks the session of this request.

    `operator`: an operator uses it in the caller's name, from an address and a browser that are
    not shown. `in_name_of`: the caller, an operator, uses it in the name of this person.
    """

    id: UUID
    current: bool
    created_at: datetime
    last_seen_at: datetime
    ip: str
    agent: str
    operator: bool
    in_name_of: str | None


class RevokedOut(ResponseModel):
    """The revoked session."""

    id: UUID


class RevokedOthersOut(ResponseModel):
    """The number of revoked sessions."""

    ok: bool
    count: int


class CompanyDetails(ResponseModel):
    """Billing details (docs/rules.md P21); empty strings where missing."""

    company_name: str
    tax_id: str
    street: str
    postal_code: str
    city: str


class SubscriptionSummary(ResponseModel):
    """A subscription; the first of a user is the current one (rule P22)."""

    status: str
    driver_limit: int
    end_date: datetime | None
    company_details: CompanyDetails


class PendingDocument(ResponseModel):
    """The current version of a legal document that the caller has not accepted."""

    document: LegalDocument
    version: date


class PendingDocumentsOut(ResponseModel):
    """The legal documents that are still to be accepted."""

    pending_documents: list[PendingDocument]


class ImpersonatorOut(ResponseModel):
    """The operator who acts in the caller's name, and for how long yet."""

    email: str
    seconds_left: int


class UserOut(ResponseModel):
    """The caller's account: the ten keys of rule P20, then ours.

    `acts` are what the caller's role in the company allows (docs/roles.md).
    """

    email: str
    phone_number: str | None
    phone_verified: bool
    email_notifications_enabled: bool
    sms_notifications_enabled: bool
    company_name: str
    is_admin: bool
    email_verified: bool
    created_at: datetime
    subscriptions: list[SubscriptionSummary]
    language: Language
    clock_offset: float
    pending_documents: list[PendingDocument]
    email_problem: EmailProblem | None
    impersonator: ImpersonatorOut | None
    list_view: ListView
    planned_drivers: int | None
    role: Role
    acts: list[CompanyAct]


class MemberIn(RequestModel):
    """The role that a person gets."""

    role: Role


class MemberOut(ResponseModel):
    """A person of the company; `last_seen_at` is of the sessions that are kept."""

    id: UUID
    email: str
    name: str
    role: Role
    branch_ids: list[UUID]
    status: Literal["active", "invited"]
    last_seen_at: datetime | None
    second_factor: bool


class RemovedMemberOut(ResponseModel):
    """The removed person."""

    id: UUID


@runtime_checkable
class CurrentSubscription(Protocol):
    """Reads the subscription of a company; implemented by billing."""

    async def summary(self, session: TenantSession) -> SubscriptionSummary | None:
        """Return the current subscription of the session's company; None without one."""
        ...


class PhoneIn(RequestModel):
    """The number to verify."""

    phone_number: PhoneText = ""


class PhoneCodeIn(RequestModel):
    """The code of the SMS, as typed."""

    code: CodeText = ""


class PhoneCodeSentOut(ResponseModel):
    """A code was sent; the next may be requested after `resend_after` seconds."""

    ok: bool
    message: str
    resend_after: int


class PhoneVerifiedOut(ResponseModel):
    """The number is verified."""

    ok: bool
    message: str
    phone_number: str


class SecondFactorCodeIn(RequestModel):
    """A code of the authenticator app or a recovery code, as typed."""

    code: Text


class AuthenticatorCodeIn(RequestModel):
    """A code of the authenticator app that is being set up, as typed."""

    code: Text


class SecondFactorConsentIn(RequestModel):
    """The current password and a code: what a change of the second factor takes."""

    password: Text
    code: Text


class SecondFactorRequiredOut(ResponseModel):
    """The password was right; the sign-in now waits ten minutes for a code."""

    ok: bool
    second_factor_required: bool


class SecondFactorOut(ResponseModel):
    """The state of the caller's second factor; `required` where an operator must have one."""

    enabled: bool
    enabled_at: datetime | None
    recovery_codes_left: int
    required: bool


class SecondFactorSetupOut(ResponseModel):
    """The secret of an authenticator app, to type, as an address, and as a QR code."""

    secret: str
    uri: str
    qr_code: QrCode


class RecoveryCodesOut(ResponseModel):
    """Ten recovery codes. They are shown once."""

    recovery_codes: list[str]
