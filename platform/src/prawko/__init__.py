"""Prawko keeps watch over drivers' licences and tells their companies."""
