"""Leased rows, jobs and the queue."""
