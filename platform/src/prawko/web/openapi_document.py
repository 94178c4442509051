"""Builds the OpenAPI document without a database or plugins."""

import base64
from typing import Any

from prawko.base.clock import RealTimeClock
from prawko.base.context import AppContext
from prawko.base.crypto import KeyRing
from prawko.base.plugins import Plugins
from prawko.base.queue import RecordingQueue
from prawko.base.settings import Settings
from prawko.web.app import create_app
from prawko.web.openapi import patch_document
from prawko_tenants.engine import Database

_DUMMY_SECRET = base64.urlsafe_b64encode(bytes(32)).decode()


def build_openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document of the panel."""
    settings = Settings(
        database_url="postgresql://", redis_url="redis://", secret_key=_DUMMY_SECRET
    )
    context = AppContext(
        settings=settings,
        database=Database("postgresql://nobody@localhost/none"),
        clock=RealTimeClock(),
        queue=RecordingQueue(),
        key_ring=KeyRing(settings.secret_bytes()),
        plugins=Plugins((), {}, {}),
    )
    return patch_document(create_app(context).openapi_schema.to_schema())
