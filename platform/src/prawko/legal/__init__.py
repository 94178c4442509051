"""The operator's details and the data-processing agreement."""
