"""A company's and a driver's data: handed out, erased, and kept no longer than it may be."""
