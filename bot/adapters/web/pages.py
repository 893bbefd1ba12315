"""The page itself: one shell, filled by the modules in ``static``."""

from __future__ import annotations

from html import escape
from string import Template
from typing import Any, Final

import msgspec
from aiohttp import web

from bot.adapters.web.files import STYLES, modules, page_version
from bot.adapters.web.page_words import page_words
from bot.words import LANGUAGES, words

#: What the modules need travels in one attribute: it cannot be mistaken for markup, and nothing inline runs.
_SHELL: Final = Template("""<!doctype html>
<html lang="$lang" data-boot="$boot">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="description" content="$description">
<title>Renju</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
$styles<script src="/static/theme.js"></script>
$preload<script type="module" src="/static/main.js"></script>
</head>
<body>
<noscript><p>$noscript</p></noscript>
</body>
</html>
""")


def page(view: str, *, language: str, name: str, boot: dict[str, Any]) -> web.Response:
    """The shell for one view: ``home``, ``table``, ``invitation`` or ``missing``."""
    said = page_words(words(language))
    everything = {
        "view": view,
        "language": language,
        "languages": dict(LANGUAGES),
        "name": name,
        "words": said,
        "page": page_version(),
        **boot,
    }
    html = _SHELL.substitute(
        lang=escape(language.replace("_", "-")),
        boot=escape(msgspec.json.encode(everything).decode()),
        description=escape(said["tagline"]),
        styles="".join(f'<link rel="stylesheet" href="/static/{name}">\n' for name in STYLES),
        preload="".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in modules()),
        noscript=escape(said["noscript"]),
    )
    return web.Response(text=html, content_type="text/html", charset="utf-8")
