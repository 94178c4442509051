"""The JSON of notifications."""

from datetime import datetime

from prawko.base.schemas import Outgoing
from prawko_tenants.ids import NotificationId


class NotificationOut(Outgoing):
    """A notice as a person sees it in the panel (spec, section 3)."""

    id: NotificationId
    type: str
    title: str
    content: str
    read: bool
    created_at: datetime
