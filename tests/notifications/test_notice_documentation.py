"""The table of notices in the documentation matches the code."""

import re
from pathlib import Path

from prawko.hooks.channels import Medium
from prawko.notifications.catalogue import CATALOGUE, NoticeGroup

PAGE = Path(__file__).parents[2] / "docs" / "notices.md"
GROUP_ROW = re.compile(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|$", re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| (yes|no) \| (yes|no) \|", re.MULTILINE)


def test_the_documentation_lists_the_media_of_every_notice() -> None:
    rows = {kind: (mail, sms) for kind, mail, sms in ROW.findall(PAGE.read_text())}

    assert rows == {
        kind.value: tuple(
            "yes" if medium in spec.media else "no" for medium in (Medium.EMAIL, Medium.SMS)
        )
        for kind, spec in CATALOGUE.items()
    }


def test_the_documentation_lists_the_kinds_of_every_group() -> None:
    rows = {
        group: set(re.findall(r"`(\w+)`", kinds))
        for group, kinds in GROUP_ROW.findall(PAGE.read_text())
    }

    assert rows == {
        group.value: {spec.kind.value for spec in CATALOGUE.values() if group in spec.groups}
        for group in NoticeGroup
    }
