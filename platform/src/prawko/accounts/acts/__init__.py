"""Acts of operators: the log of them, and the verification of its chain."""
