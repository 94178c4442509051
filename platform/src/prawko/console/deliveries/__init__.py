"""Mails and SMS as operators see them: states and reasons, no addresses or texts."""
