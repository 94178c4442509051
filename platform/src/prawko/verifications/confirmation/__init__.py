"""Confirmations of checks, as PDF: of one verification, or of a driver's over a time."""
