"""What people write to us: a customer's ticket, a visitor's message."""
