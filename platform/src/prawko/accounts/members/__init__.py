"""The people of a company: their roles, and how they leave."""
