"""Licence verification: register queries, the daily check, manual checks and their results."""
