"""Subscriptions: what companies order, for how long, and for how many drivers."""
