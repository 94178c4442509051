"""The seconds after which the platform ends a call of a plugin and counts a fault.

A plugin's own deadlines are shorter, so that its error says what happened. The contract tests end
calls after the same time.
"""

LOADING_SECONDS = 30.0
"""For the import of a plugin, and for each of its hooks."""

BLOCK_SECONDS = 2.0
"""For which a plugin may run without `await`: the whole process waits meanwhile. After a longer
block it is not called for a while."""

HARD_LIMIT_SECONDS = 5.0
"""After which a block ends the process, which is started again and does not call the plugin for a
while."""

SEND_SECONDS = 30.0
"""For `Channel.send`."""

LOOK_UP_SECONDS = 15.0
"""For `LicenceRegister.look_up`, unless `REGISTER_DEADLINE` is set: it is half as much again."""

METHODS_SECONDS = 5.0
"""For `PaymentProvider.available_methods`: a user waits for the page."""

PAYMENT_SECONDS = 30.0
"""For the other calls of a payment provider."""

INVOICE_SECONDS = 30.0
"""For `InvoiceIssuer.render` and `InvoiceIssuer.validate`."""

CHECK_SECONDS = 30.0
"""For `Checkable.check`."""

CLOSE_SECONDS = 2.0
"""For `close`, at the end of the process."""
