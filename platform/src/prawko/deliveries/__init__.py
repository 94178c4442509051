"""The outbox: every mail and SMS of the product leaves through here, codes included."""
