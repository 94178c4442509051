"""Delivery of messages: sending them, processing delivery reports, watching for losses."""
