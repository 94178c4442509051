"""What every domain stands on; knows none of them."""
