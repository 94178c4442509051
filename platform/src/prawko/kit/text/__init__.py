"""Texts: translations, normal forms, encodings and alphabets."""
