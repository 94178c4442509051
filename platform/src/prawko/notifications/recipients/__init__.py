"""Recipients of a company's alerts: its members, and persons without an account."""
