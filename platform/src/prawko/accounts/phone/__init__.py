"""Phone numbers, and their verification with codes sent by SMS."""
