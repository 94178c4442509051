"""The errors that plugins of every kind raise.

A plugin raises its own error (RegisterError, DeliveryError, PaymentError, InvoiceError) for a
temporary failure or, with `permanent`, for a lasting one as its class documents it, and
ProviderAccountError for a refused account. Any other exception counts as a bug of the plugin.
"""


class ProviderError(Exception):
    """Base of the errors of calls that did not succeed.

    `permanent`, where the subclass documents it: no retry will help. `retry_after`: seconds until
    the next attempt, where the provider named them.
    """

    def __init__(
        self, reason: str, *, permanent: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(reason)
        self.permanent = permanent
        self.retry_after = retry_after


class ProviderAccountError(Exception):
    """Our account, key, credit or certificate was refused.

    Nothing was consumed and no recipient is at fault: the provider is paused, pending work
    waits, and operators are notified at once.
    """
