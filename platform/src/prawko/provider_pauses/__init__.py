"""Pauses of carriers and payment providers that refused our account."""
