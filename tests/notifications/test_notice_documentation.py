"""The table of notices in the documentation matches the code."""

import re
from pathlib import Path

from prawko.hooks.channels import Medium
from prawko.notifications.kinds import GROUPS_BY_KIND, MEDIA_BY_KIND, NoticeGroup, NoticeKind

PAGE = Path(__file__).parents[2] / "docs" / "notices.md"
GROUP_ROW = re.compile(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|$", re.MULTILINE)
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


def test_the_documentation_lists_the_kinds_of_every_group() -> None:
    rows = {
        group: set(re.findall(r"`(\w+)`", kinds))
        for group, kinds in GROUP_ROW.findall(PAGE.read_text())
    }

    assert rows == {
        group.value: {kind.value for kind in NoticeKind if group in GROUPS_BY_KIND.get(kind, ())}
        for group in NoticeGroup
    }
