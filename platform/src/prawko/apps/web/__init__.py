"""HTTP application of the panel: composes the controllers of the domains."""
