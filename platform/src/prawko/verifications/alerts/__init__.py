"""Notices about expiring documents and stale results, and monitoring for operators."""
