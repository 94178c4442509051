"""What the panel and the console share of HTTP."""
