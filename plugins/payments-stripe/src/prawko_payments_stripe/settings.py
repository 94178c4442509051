"""The settings of the plugin, `PAYMENTS_STRIPE_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL


class StripeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The account and how to use it.

    `secret_key` may be a restricted one. `webhook_secret` is the signing secret of webhooks, or
    two with a comma during a rotation. `blik` and `przelewy24` are methods that the account has
    enabled beside cards. `minutes` is how long Stripe's page stays open, `deadline` in seconds
    for a whole call, including its retries.
    """

    secret_key: Annotated[str, Meta(pattern=r"^(sk|rk)_(test|live)_[A-Za-z0-9_]+\Z")]
    webhook_secret: Annotated[str, Meta(pattern=r"^whsec_[^\s,]+(,whsec_[^\s,]+)*\Z")]
    blik: bool = False
    przelewy24: bool = False
    minutes: Annotated[int, Meta(ge=31, le=1439)] = 60
    url: URL = URL("https://api.stripe.com")
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def is_live(self) -> bool:
        """Whether the key is of live mode, not of test mode."""
        return self.secret_key[3:].startswith("live_")

    @property
    def webhook_secrets(self) -> tuple[str, ...]:
        """The secrets that may sign an event."""
        return tuple(self.webhook_secret.split(","))
