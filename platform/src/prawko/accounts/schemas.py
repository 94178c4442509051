"""The JSON of accounts."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from prawko.accounts import addresses
from prawko.accounts.email_problems import EmailProblem
from prawko.accounts.passwords import MIN_LENGTH, PasswordFault
from prawko.base.schemas import Incoming, Outgoing
from prawko.base.texts import Language

Text = Annotated[str, Meta(max_length=5000)]
# Told to the client, not enforced by the decoder, which could not name the field's sentence.
AN_ADDRESS = Meta(
    extra_json_schema={
        "extra": {"pattern": addresses.TOLD_PATTERN, "max_length": addresses.MAX_LENGTH}
    }
)
AddressText = Annotated[Text, AN_ADDRESS]
NewPasswordText = Annotated[Text, Meta(extra_json_schema={"extra": {"min_length": MIN_LENGTH}})]


class CredentialsIn(Incoming):
    """An address and a password."""

    email: Text
    password: Text


class RegistrationIn(Incoming):
    """Signing up; sending it accepts the terms in force (the form asks for it)."""

    email: AddressText
    password: NewPasswordText
    language: Language | None = None


class CodeIn(Incoming):
    """The code of the mail, as typed."""

    token: Text


class LanguageIn(Incoming):
    """The language to speak from now on."""

    language: Language


class EmailIn(Incoming):
    """The address of a forgotten password's account."""

    email: AddressText


class NewPasswordIn(Incoming):
    """The token of the mail's link, and a password typed twice."""

    token: Text
    new_password: Text
    confirm_password: Text


class PasswordChangeIn(Incoming):
    """The present password, and a new one typed twice."""

    current_password: Text
    new_password: Text
    confirm_password: Text


class PasswordIn(Incoming):
    """A password as far as it is typed."""

    password: Text


class SignedIn(Outgoing):
    """Signed in; the address may still wait for its code."""

    ok: bool
    email_verified: bool


class Announced(Outgoing):
    """Done, and what the person should do next."""

    ok: bool
    message: str


class LanguageOut(Outgoing):
    """The language spoken from now on."""

    language: Language


class PasswordFaultsOut(Outgoing):
    """What a password lacks, for the live checklist.

    `common` is named wherever it is true; `refused` says whether this password would be turned
    away, which a common one is not where the setting is off.
    """

    faults: list[PasswordFault]
    refused: bool


class SessionOut(Outgoing):
    """One signed-in browser of the caller; `current` is the one that asks."""

    id: UUID
    current: bool
    created_at: datetime
    last_seen_at: datetime
    ip: str
    agent: str


class RevokedOut(Outgoing):
    """The session that was ended."""

    id: UUID


class RevokedOthersOut(Outgoing):
    """How many sessions were ended."""

    ok: bool
    count: int


class CompanyDetails(Outgoing):
    """Billing details as the spec's section 3 names them; empty strings where missing."""

    company_name: str
    tax_id: str
    street: str
    postal_code: str
    city: str


class SubscriptionSummary(Outgoing):
    """The first subscription of a user is the current one (spec, section 3)."""

    status: str
    driver_limit: int
    end_date: datetime | None
    company_details: CompanyDetails


class UserOut(Outgoing):
    """The ten keys of the spec's section 3, then ours."""

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
    terms_version: str
    email_problem: EmailProblem | None
