"""Adding many drivers at once, from a file or pasted from a spreadsheet."""
