"""The words for failure that all plugins share.

A provider's own error says "try again" or, where the recipient or payer is at fault,
`permanent`. AccountError is the third word; any other exception is the fourth: a bug.
"""


class AccountError(Exception):
    """Our account, key, credit or certificate was refused.

    Nothing was consumed and no recipient is at fault: the plugin pauses, what waits goes on
    waiting, and operators are told at once.
    """
