"""The settings of the plugin, `PAYMENTS_STRIPE_…`."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL

from prawko.hooks.environment import SECRET


class StripeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The account and how to use it.

    `secret_key` may be a restricted one. `webhook_secret` is the signing secret of webhooks, or
    two with a comma during a rotation. `blik` and `przelewy24` are methods that the account has
    enabled beside cards.
    """

    secret_key: Annotated[
        str,
        Meta(pattern=r"^(sk|rk)_(test|live)_[A-Za-z0-9_]+\Z"),
        Meta(
            description="a secret key, or a restricted one that may write Checkout sessions, "
            "payment intents and refunds, and read charges, customers, payment methods "
            "and their configurations"
        ),
        SECRET,
    ]
    webhook_secret: Annotated[
        str,
        Meta(pattern=r"^whsec_[^\s,]+(,whsec_[^\s,]+)*\Z"),
        Meta(
            description="the endpoint's signing secret, `whsec_…`; two with a comma between them "
            "while it is rolled"
        ),
        SECRET,
    ]
    blik: Annotated[
        bool,
        Meta(description="the account has enabled it beside cards; never used for renewals"),
    ] = False
    przelewy24: Annotated[
        bool,
        Meta(description="the account has enabled it beside cards; never used for renewals"),
    ] = False
    url: Annotated[URL, Meta(description="the address of the API")] = URL("https://api.stripe.com")

    @property
    def is_live(self) -> bool:
        """Whether the key is of live mode, not of test mode."""
        return self.secret_key[3:].startswith("live_")

    @property
    def webhook_secrets(self) -> tuple[str, ...]:
        """The secrets that may sign an event."""
        return tuple(self.webhook_secret.split(","))
