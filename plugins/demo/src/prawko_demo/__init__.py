"""The demo: simulated providers and developer tools, which a product in production rejects."""
