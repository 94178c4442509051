"""Storage of register answers and their effect on drivers."""
