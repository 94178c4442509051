"""PDF documents: A4 pages in the panel's font."""
