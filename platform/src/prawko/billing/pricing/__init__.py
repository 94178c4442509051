"""Prices, periods, proration and driver limits."""
