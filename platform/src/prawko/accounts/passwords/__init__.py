"""Passwords: their rules and hashes, and how one is changed or reset."""
