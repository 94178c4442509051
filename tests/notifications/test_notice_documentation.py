"""The table of notices in the documentation matches the code."""

import re
from pathlib import Path

from prawko.hooks.channels import Medium
from prawko.notifications.kinds import MEDIA_BY_KIND, NoticeKind

PAGE = Path(__file__).parents[2] / "docs" / "notices.md"
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| (yes|no) \| (yes|no) \|", re.MULTILINE)


def test_the_documentation_lists_the_media_of_every_notice() -> None:
    rows = {kind: (mail, sms) for kind, mail, sms in ROW.findall(PAGE.read_text())}

    assert rows == {
        kind.value: tuple(
            "yes" if medium in MEDIA_BY_KIND[kind] else "no"
            for medium in (Medium.EMAIL, Medium.SMS)
        )
        for kind in NoticeKind
    }
