"""The manual check of one driver."""
