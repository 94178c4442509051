"""The table of notices in the documentation is the one that the product goes by."""

import re
from pathlib import Path

from prawko.hooks.channels import Medium
from prawko.notifications.kinds import MEDIA, NoticeKind

PAGE = Path(__file__).parents[3] / "docs" / "notices.md"
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| (yes|no) \| (yes|no) \|", re.MULTILINE)


def test_the_documentation_says_which_notice_goes_where() -> None:
    rows = {kind: (mail, sms) for kind, mail, sms in ROW.findall(PAGE.read_text())}

    assert rows == {
        kind.value: tuple(
            "yes" if medium in MEDIA[kind] else "no" for medium in (Medium.EMAIL, Medium.SMS)
        )
        for kind in NoticeKind
    }
