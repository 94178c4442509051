"""What the processes are made of: one composition for all of them."""
