"""Lines of the bank statement that operators record."""
