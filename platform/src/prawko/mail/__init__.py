"""Layout of mails, as plain text and HTML."""
