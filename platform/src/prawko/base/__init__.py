"""Shared foundations of the domains; imports none of them."""
