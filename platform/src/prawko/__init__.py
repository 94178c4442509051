"""Prawko keeps watch over drivers' licences and tells their companies."""

from importlib.metadata import version

__version__ = version("prawko")
