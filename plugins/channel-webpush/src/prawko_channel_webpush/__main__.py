"""Prints a new private key: the line that the environment of the product needs."""

import sys

from prawko_channel_webpush.signature import generate_private_key

if __name__ == "__main__":
    sys.stdout.write(f"CHANNEL_WEBPUSH_PRIVATE_KEY={generate_private_key()}\n")
