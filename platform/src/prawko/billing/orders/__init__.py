"""Orders: checkout, limit changes, payment methods, transfer mails."""
