"""Contract tests for authors of plugins, to be inherited."""
