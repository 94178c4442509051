"""Fulfilment of paid orders."""
