"""The operator's details, the data-processing agreement and accepted documents."""
