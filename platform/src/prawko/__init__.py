"""Prawko monitors drivers' licences and notifies their companies."""

from importlib.metadata import version

__version__ = version("prawko")
