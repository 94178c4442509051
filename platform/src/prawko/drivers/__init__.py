"""The drivers a company keeps a watch on."""
