"""Acts of operators: their transactions and log, and the verification of its chain."""
