"""Payments: attempts to pay an order, with any provider; billing decides what an order buys."""
