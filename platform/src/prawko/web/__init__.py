"""The panel's HTTP side: puts the domains together and is imported by nobody."""
