"""What was sold, numbered without a gap: invoices, their files, and their way to the state."""
