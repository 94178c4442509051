"""Export, erasure and retention of the data of companies and drivers."""
