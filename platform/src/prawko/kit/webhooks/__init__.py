"""Webhook events of carriers and payment providers, stored before they are processed."""
