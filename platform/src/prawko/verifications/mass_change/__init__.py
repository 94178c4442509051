"""Review of runs in which unusually many statuses change."""
