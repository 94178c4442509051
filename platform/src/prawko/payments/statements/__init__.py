"""Bank statement files: parsers of their formats, and the matching of their entries to payments."""
