"""The JSON of notifications."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from prawko.accounts.email_problems import EmailProblem
from prawko.base.schemas import Incoming, Outgoing
from prawko.notifications import phone
from prawko_tenants.ids import NotificationId

# Told to the client, not enforced by the decoder, which could not name the field's sentence.
PhoneText = Annotated[str, Meta(extra_json_schema={"extra": {"pattern": phone.PHONE_PATTERN}})]
CodeText = Annotated[str, Meta(extra_json_schema={"extra": {"pattern": phone.CODE_PATTERN}})]


class NotificationOut(Outgoing):
    """A notice as a person sees it in the panel (spec, section 3)."""

    id: NotificationId
    type: str
    title: str
    content: str
    read: bool
    created_at: datetime


class RemovedNotification(Outgoing):
    """The notification that is gone."""

    id: NotificationId


class MarkedRead(Outgoing):
    """How many notifications were unread until now."""

    ok: bool
    count: int


class SettingsIn(Incoming):
    """By which channels to tell the caller."""

    email_enabled: bool
    sms_enabled: bool


class SettingsOut(Outgoing):
    """The caller's channels. `email_problem` is what a provider reported of the address."""

    email_enabled: bool
    sms_enabled: bool
    phone_number: str | None
    phone_verified: bool
    email_problem: EmailProblem | None


class PhoneIn(Incoming):
    """The number to prove."""

    phone_number: PhoneText = ""


class PhoneCodeIn(Incoming):
    """The code of the SMS, as typed."""

    code: CodeText = ""


class PhoneCodeSent(Outgoing):
    """A code is on its way; the next may be asked for after `resend_after` seconds."""

    ok: bool
    message: str
    resend_after: int


class PhoneVerified(Outgoing):
    """The number is the caller's."""

    ok: bool
    message: str
    phone_number: str
