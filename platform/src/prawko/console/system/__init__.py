"""Plugins, incidents, the log of acts and charts of the whole service."""
