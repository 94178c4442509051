"""Request and response models of push messages."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from prawko.kit.http.schemas import STORABLE, RequestModel, ResponseModel
from prawko_tenants.ids import PushBrowserId

Endpoint = Annotated[str, Meta(min_length=1, max_length=1000, pattern=STORABLE)]
BrowserKey = Annotated[str, Meta(min_length=1, max_length=100, pattern=STORABLE)]


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
