"""Request and response models of notifications."""

from datetime import datetime

from prawko.accounts.email_deliverability import EmailProblem
from prawko.hooks.channels import Medium
from prawko.kit.http.schemas import RequestModel, ResponseModel
from prawko.notifications.catalogue import NoticeKind
from prawko_tenants.ids import DriverId, NotificationId


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
    """The channels to notify the caller by."""

    email_enabled: bool
    sms_enabled: bool


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
