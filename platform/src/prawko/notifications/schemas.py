"""Request and response models of notifications, alert recipients and push messages."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from prawko.accounts.email_address import EmailProblem
from prawko.accounts.schemas import EmailText, Text
from prawko.hooks.channels import Medium
from prawko.kit.http.schemas import STORABLE, RequestModel, ResponseModel, openapi_constraints
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import NoticeGroup, NoticeKind
from prawko.notifications.links import LinkKind
from prawko_tenants.ids import DriverId, NotificationId, PushBrowserId, RecipientId

MAX_NAME_LENGTH = 80
MAX_RECIPIENTS = 20

NameText = Annotated[str, openapi_constraints(pattern=r"\S", max_length=MAX_NAME_LENGTH)]
GroupList = Annotated[list[NoticeGroup], Meta(max_length=len(NoticeGroup))]
Hour = Annotated[int, Meta(ge=0, le=23)]

Endpoint = Annotated[str, Meta(min_length=1, max_length=1000, pattern=STORABLE)]
BrowserKey = Annotated[str, Meta(min_length=1, max_length=100, pattern=STORABLE)]


class NotificationOut(ResponseModel):
    """A notice in the panel (docs/rules.md P23).

    `kind` is what happened, finer than `type`; `driver_id` the driver that it is about. Both are
    null if the notice was deleted.
    """

    id: NotificationId
    type: str
    title: str
    content: str
    read: bool
    created_at: datetime
    kind: NoticeKind | None
    driver_id: DriverId | None


class RemovedNotificationOut(ResponseModel):
    """The removed notification."""

    id: NotificationId


class MarkedReadOut(ResponseModel):
    """The number of notifications that were unread."""

    ok: bool
    count: int


class NotificationSettingsIn(RequestModel):
    """The channels to notify the caller by; absent fields keep their value."""

    email_enabled: bool | UnsetType = UNSET
    sms_enabled: bool | UnsetType = UNSET


class NotificationSettingsOut(ResponseModel):
    """The caller's channels. `email_problem` is what a carrier reported of the address."""

    email_enabled: bool
    sms_enabled: bool
    phone_number: str | None
    phone_verified: bool
    email_problem: EmailProblem | None


class TestAlertOut(ResponseModel):
    """The media by which a test alert leaves for the caller, besides the panel."""

    media: list[Medium]


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

    `sms_hours` null: not at night. `monthly_summary`: the mail about the month before.
    """

    groups: GroupList | UnsetType = UNSET
    sms_hours: SmsHoursIn | UnsetType | None = UNSET
    monthly_summary: bool | UnsetType = UNSET


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
    monthly_summary: bool


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


class PushSubscriptionIn(RequestModel):
    """The subscription that the browser's PushManager returned."""

    endpoint: Endpoint
    p256dh: BrowserKey
    auth: BrowserKey


class PushRenewalIn(RequestModel):
    """The endpoint of this browser's subscription."""

    endpoint: Endpoint


class PushBrowserOut(ResponseModel):
    """A browser that gets push messages; not while `active` is false, until its next sign-in."""

    id: PushBrowserId
    agent: str
    active: bool
    created_at: datetime


class PushSettingsOut(ResponseModel):
    """The key to subscribe with, null where push is not configured, and the caller's browsers."""

    server_key: str | None
    browsers: list[PushBrowserOut]


class RemovedPushBrowserOut(ResponseModel):
    """The removed browser."""

    id: PushBrowserId
