"""Our adapters against peers that nobody here wrote, which the test command cannot install.

    PYTHONPATH=tests python -m tests.peers przelewy24 http://127.0.0.1:4010
    PYTHONPATH=tests python -m tests.peers przelewy24-client <folder with node_modules>
    PYTHONPATH=tests python -m tests.peers sendgrid http://127.0.0.1:4011
    PYTHONPATH=tests python -m tests.peers stripe http://127.0.0.1:9000

How each peer is started, and what came of it, stands in docs/peers.md.
"""

import asyncio
import sys

from tests.peers import przelewy24, przelewy24_client, sendgrid, stripe

PEERS = {
    "przelewy24": przelewy24.run,
    "przelewy24-client": przelewy24_client.run,
    "sendgrid": sendgrid.run,
    "stripe": stripe.run,
}


def main() -> int:
    try:
        _, peer, url = sys.argv
        run = PEERS[peer]
    except (ValueError, KeyError):
        sys.stderr.write(__doc__ or "")
        return 2
    asyncio.run(run(url))
    return 0


if __name__ == "__main__":
    sys.exit(main())
