"""Request and response models of alert recipients."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from prawko.accounts.email_deliverability import EmailProblem
from prawko.accounts.schemas import EmailText, Text
from prawko.kit.http.schemas import RequestModel, ResponseModel, openapi_constraints
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import NoticeGroup
from prawko.notifications.recipients.links import LinkKind
from prawko_tenants.ids import RecipientId

MAX_NAME_LENGTH = 80
MAX_RECIPIENTS = 20

NameText = Annotated[str, openapi_constraints(pattern=r"\S", max_length=MAX_NAME_LENGTH)]
GroupList = Annotated[list[NoticeGroup], Meta(max_length=len(NoticeGroup))]
Hour = Annotated[int, Meta(ge=0, le=23)]


class RecipientState(StrEnum):
    """Whether a person without an account gets alerts."""

    WAITING = "waiting"  # for the person to agree
    ACTIVE = "active"
    STOPPED = "stopped"  # the person refused, or stopped them


class SmsHoursIn(RequestModel):
    """From the hour `start` on, before the hour `end` (Warsaw); equal ones mean at any time."""

    start: Hour
    end: Hour


class SmsHoursOut(ResponseModel):
    """The hours in which a member wants SMS."""

    start: int
    end: int


class OwnAlertsPatch(RequestModel):
    """Changes of the caller's own alerts; absent fields keep their value.

    `sms_hours` null: not at night.
    """

    email_enabled: bool | UnsetType = UNSET
    sms_enabled: bool | UnsetType = UNSET
    groups: GroupList | UnsetType = UNSET
    sms_hours: SmsHoursIn | UnsetType | None = UNSET


class RecipientIn(RequestModel):
    """A person to invite. Missing fields are rejected like empty ones.

    Without `language` mails are in the caller's.
    """

    name: NameText = ""
    email: EmailText = ""
    language: Language | UnsetType = UNSET
    groups: GroupList | UnsetType = UNSET


class RecipientPatch(RequestModel):
    """Changes of a recipient; absent fields keep their value."""

    name: NameText | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    email_enabled: bool | UnsetType = UNSET
    groups: GroupList | UnsetType = UNSET


class MemberAlertsOut(ResponseModel):
    """A member as a recipient. Of colleagues the phone number is null."""

    email: str
    is_self: bool
    email_enabled: bool
    email_problem: EmailProblem | None
    sms_enabled: bool
    phone_number: str | None
    phone_verified: bool
    groups: list[NoticeGroup]
    sms_hours: SmsHoursOut | None


class RecipientOut(ResponseModel):
    """A person without an account. `invitation_ends_at` is the end of the newest link."""

    id: RecipientId
    name: str
    email: str
    language: Language
    email_enabled: bool
    email_problem: EmailProblem | None
    groups: list[NoticeGroup]
    state: RecipientState
    invitation_ends_at: datetime
    confirmed_at: datetime | None
    stopped_at: datetime | None


class AlertRecipientsOut(ResponseModel):
    """All recipients of the company's alerts.

    `sms_from_hour` is the hour (Warsaw) at which the night ends for SMS; 0 if there is none.
    """

    members: list[MemberAlertsOut]
    recipients: list[RecipientOut]
    max_recipients: int
    sms_from_hour: int


class RemovedRecipientOut(ResponseModel):
    """The removed recipient."""

    id: RecipientId


class RecipientLinkIn(RequestModel):
    """The token of a link."""

    token: Text


class RecipientLinkOut(ResponseModel):
    """The subject of a link. `expired` is of an invitation: it can be refused, not accepted."""

    kind: LinkKind
    company: str
    email: str
    groups: list[NoticeGroup]
    state: RecipientState
    was_confirmed: bool
    expired: bool
