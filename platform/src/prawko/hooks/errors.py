"""The error that plugins of every kind raise.

A plugin raises its own error (RegisterError, DeliveryError, PaymentError, InvoiceError) for a
temporary failure or, with `permanent`, for one that the recipient or payer caused, and
ProviderAccountError for a refused account. Any other exception counts as a bug of the plugin.
"""


class ProviderAccountError(Exception):
    """Our account, key, credit or certificate was refused.

    Nothing was consumed and no recipient is at fault: the provider is paused, pending work
    waits, and operators are notified at once.
    """
