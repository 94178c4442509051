"""Tickets and contact messages as operators see them: answered, closed, opened again."""
