"""What only the demo and the tests may have; the product refuses to start with any of it."""
