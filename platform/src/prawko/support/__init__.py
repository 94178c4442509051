"""Tickets of customers and contact messages of visitors."""
