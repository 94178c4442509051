"""Renewals: the schedule of charges after which a subscription ends."""
