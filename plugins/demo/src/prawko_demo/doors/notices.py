"""Every kind of notice as people get it: in the panel, as a mail and as an SMS, in both languages.

Rendered by the product's own code. A mail stands in a frame of its own that may do nothing.
"""

from html import escape

from litestar import Controller, MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko.base.errors import NotFoundError
from prawko.base.jobs import Tools
from prawko.base.texts import Language
from prawko.hooks.channels import Medium, Notice
from prawko.notifications.kinds import MEDIA, notification_type
from prawko.notifications.plain import LONGEST
from prawko.notifications.wording import Site, entry, message
from prawko_demo.clock import FileClock
from prawko_demo.doors.samples import Sample, samples

_PAGE = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}
_MAIL = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'; sandbox"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
_LANGUAGES = {Language.PL: "Polish", Language.EN: "English"}
_HEAD = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Notices: doors of the demo</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/dev/page/page.css">
    <link rel="stylesheet" href="/dev/page/notices.css">
  </head>
  <body>
    <header class="rail">
      <p class="brand">Prawko <span>demo</span></p>
      <nav aria-label="Demo"><a href="/dev">Doors</a> <a href="/panel">Panel</a></nav>
    </header>
    <main>
      <h1>Notices</h1>
      <p class="lead">Every kind of notice, with made-up people, in the words that people get.
        Nothing is sent from here.</p>
"""
_FOOT = "    </main>\n  </body>\n</html>\n"


class NoticesDoor(Controller):
    """The preview of notices."""

    path = "/notices"

    @get(media_type=MediaType.HTML, sync_to_thread=False)
    def show(
        self, tools: NamedDependency[Tools], file_clock: NamedDependency[FileClock]
    ) -> Response[str]:
        """All of them on one page."""
        found, site = samples(file_clock.now()), _site(tools)
        links = "".join(f'<a href="#{s.name}">{escape(s.about)}</a>\n' for s in found.values())
        shown = "".join(_section(sample, site) for sample in found.values())
        nav = f'<nav class="kinds" aria-label="Kinds">\n{links}</nav>\n'
        return Response(
            _HEAD + nav + shown + _FOOT,
            media_type="text/html; charset=utf-8",
            headers={**_PAGE, "Cache-Control": "no-store"},
        )

    @get("/{name:str}/{language:str}", media_type=MediaType.HTML, sync_to_thread=False)
    def mail(
        self,
        name: FromPath[str],
        language: FromPath[str],
        tools: NamedDependency[Tools],
        file_clock: NamedDependency[FileClock],
    ) -> Response[str]:
        """One mail, exactly as a mail program gets it."""
        sample = samples(file_clock.now()).get(name)
        if sample is None or not MEDIA[sample.kind] or language not in set(Language):
            raise NotFoundError
        html = _message(sample, Language(language), _site(tools)).html
        return Response(html, media_type="text/html; charset=utf-8", headers=_MAIL)


def _site(tools: Tools) -> Site:
    return Site(tools.settings.brand, tools.settings.base_url)


def _message(sample: Sample, language: Language, site: Site) -> Notice:
    return message(sample.kind, sample.facts, language, site, beside=sample.beside)


def _section(sample: Sample, site: Site) -> str:
    sent = " and ".join(
        word
        for medium, word in {Medium.EMAIL: "mail", Medium.SMS: "SMS"}.items()
        if medium in MEDIA[sample.kind]
    )
    ways = f"Panel, {sent}" if sent else "Panel alone"
    columns = "".join(_column(sample, language, site) for language in Language)
    return (
        f'<section class="kind" id="{sample.name}" aria-labelledby="{sample.name}-title">\n'
        f'<div class="title"><h2 id="{sample.name}-title">{escape(sample.about)}</h2>'
        f'<p class="soft">{ways} · type {escape(notification_type(sample.kind))}</p></div>\n'
        f'<div class="pair">\n{columns}</div>\n</section>\n'
    )


def _column(sample: Sample, language: Language, site: Site) -> str:
    words = [entry(sample.kind, one, language) for one in (sample.facts, *sample.beside)]
    listed = "".join(
        f'<div class="entry"><h3>{escape(one.title)}</h3><p>{escape(one.content)}</p></div>\n'
        for one in words
    )
    said = f'<div lang="{language.value}">\n<p class="label">{_LANGUAGES[language]}: panel</p>\n'
    if not MEDIA[sample.kind]:
        return f"{said}{listed}</div>\n"
    notice = _message(sample, language, site)
    sms = "SMS" if Medium.SMS in MEDIA[sample.kind] else "short line, not sent as SMS"
    where = f"/dev/notices/{sample.name}/{language.value}"
    return (
        f"{said}{listed}"
        f'<p class="label">{sms}, {len(notice.line)} of {LONGEST}</p>\n'
        f'<p class="line">{escape(notice.line)}</p>\n'
        f'<p class="label">Mail: <strong>{escape(notice.title)}</strong> '
        f'<a href="{where}">alone</a></p>\n'
        f'<iframe sandbox loading="lazy" src="{where}" title="{escape(notice.title)}"></iframe>\n'
        f"<details><summary>Mail as text</summary><pre>{escape(notice.text)}</pre></details>\n"
        "</div>\n"
    )
