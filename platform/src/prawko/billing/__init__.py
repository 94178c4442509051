"""What a company has ordered, until when, and for how many drivers."""
