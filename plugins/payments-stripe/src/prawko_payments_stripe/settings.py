"""The Stripe account to be paid on."""

from typing import Annotated

import msgspec
from msgspec import Meta
from yarl import URL

from prawko.hooks.carrier_connection import is_safe


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`secret_key` may be a restricted one. `webhook_secret` signs events: several in a rotation.

    `blik` and `przelewy24` are methods that the account has switched on beside cards.
    `minutes` is how long a payer may take on Stripe's page, `deadline` the seconds of a call,
    its repetitions included.
    """

    secret_key: Annotated[str, Meta(pattern=r"^(sk|rk)_(test|live)_[A-Za-z0-9_]+\Z")]
    webhook_secret: Annotated[str, Meta(pattern=r"^whsec_[^\s,]+(,whsec_[^\s,]+)*\Z")]
    blik: bool = False
    przelewy24: bool = False
    minutes: Annotated[int, Meta(ge=31, le=1439)] = 60
    url: str = "https://api.stripe.com"
    deadline: Annotated[float, Meta(gt=0, le=25)] = 20.0

    @property
    def live(self) -> bool:
        """Whether the key moves money that exists."""
        return self.secret_key[3:].startswith("live_")

    @property
    def signing(self) -> tuple[str, ...]:
        """Each secret that may sign an event."""
        return tuple(self.webhook_secret.split(","))


def is_safe_address(text: str | None) -> bool:
    """Whether our key, or a payer, may be sent there."""
    try:
        return is_safe(URL(text or ""))
    except ValueError:
        return False
