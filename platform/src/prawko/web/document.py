"""The panel's OpenAPI document, made without a database or a provider."""

import base64
from typing import Any

from prawko.base.clock import SystemClock
from prawko.base.jobs import Tools
from prawko.base.plugins import Plugins
from prawko.base.queue import SilentQueue
from prawko.base.secrets import Vault
from prawko.base.settings import Settings
from prawko.web.app import create_app
from prawko.web.openapi import put_right
from prawko_tenants.engine import Database

_NO_SECRET = base64.urlsafe_b64encode(bytes(32)).decode()


def openapi_document() -> dict[str, Any]:
    """Describe every call of the panel."""
    settings = Settings(database_url="postgresql://", redis_url="redis://", secret_key=_NO_SECRET)
    tools = Tools(
        settings=settings,
        database=Database("postgresql://nobody@localhost/none"),
        clock=SystemClock(),
        queue=SilentQueue(),
        vault=Vault(settings.secret_bytes()),
        plugins=Plugins((), {}, {}),
    )
    return put_right(create_app(tools).openapi_schema.to_schema())
