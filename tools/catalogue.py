"""Brings the catalogues in ``bot/words`` up to date with the sentences in the code.

``python tools/catalogue.py`` adds new sentences, drops unused ones and lists what still has no translation; with
``--check`` it only lists, and exits 1 when there is anything to do. Translate by editing the ``.po`` files.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = ROOT / "bot" / "words"
#: Those that have a catalogue. For a new one add it here and in ``bot/words/catalogue.py``, then run this.
LANGUAGES = ("zh_Hans",)
#: No dates: the file changes only when a sentence does.
HEADER = r"""msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: {plurals}\n"

"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in the code: its text, its plural text (or empty), the values given to it, where it is."""

    msgid: str
    plural: str
    values: frozenset[str]
    file: str
    line: int

    @property
    def key(self) -> str | tuple[str, str]:
        """As a catalogue knows it."""
        return (self.msgid, self.plural) if self.plural else self.msgid


class NotLiteral(ValueError):
    """A sentence that is computed, so that no translator can find it; the message says where."""


def sentences(root: Path = ROOT) -> Iterator[Sentence]:
    """Every sentence that the code in ``bot/`` says, file by file. Raises :class:`NotLiteral`."""
    for path in sorted((root / "bot").rglob("*.py")):
        yield from in_source(path.read_text(encoding="utf-8"), path.relative_to(root).as_posix())


def in_source(source: str, file: str) -> Iterator[Sentence]:
    """The sentences in the text of one file. A call that is awaited sends something: it says no words of ours."""
    tree = ast.parse(source)
    awaited = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Await)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or id(node) in awaited:
            continue
        texts = _texts(node)
        if texts is None:
            continue
        literal = [text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)]
        if not texts or len(literal) != len(texts):
            raise NotLiteral(f"{file}:{node.lineno}: a sentence must be written out where it is said")
        values = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
        if len(literal) == 2:
            values.add("n")
        yield Sentence(literal[0], literal[1] if len(literal) == 2 else "", frozenset(values), file, node.lineno)


def _texts(call: ast.Call) -> list[ast.expr] | None:
    """The arguments of ``say`` and ``count`` that are sentences; ``None`` for any other call."""
    match call.func:
        case ast.Attribute(attr="say") | ast.Name(id="say"):
            return call.args[:1]
        case ast.Attribute(attr="count", value=ast.Name(id="words") | ast.Attribute(attr="words" | "_words")):
            return call.args[:2]
        case ast.Attribute(attr="gettext", value=ast.Attribute(attr="_translations")):
            text = call.args[0]
            return [text] if isinstance(text, ast.Constant) else None
    return None


def read(language: str) -> Catalog:
    """The catalogue of a language as it lies on disk; an empty one for a language that has none yet."""
    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def updated(old: Catalog, language: str) -> Catalog:
    """A catalogue with exactly the sentences of the code, and the translations that ``old`` has for them."""
    fresh = Catalog(locale=language, fuzzy=False)
    for sentence in sentences():
        known = old.get(sentence.msgid)
        fresh.add(
            sentence.key,
            string=known.string if known is not None and isinstance(known.id, tuple) == bool(sentence.plural) else "",
            locations=[(sentence.file, 0)],
            flags=("python-brace-format",) if "{" in sentence.msgid + sentence.plural else (),
        )
    return fresh


def written(catalogue: Catalog) -> bytes:
    """The bytes of the ``.po`` file."""
    out = BytesIO()
    write_po(out, catalogue, width=120, omit_header=True, include_lineno=False, sort_by_file=True)
    return HEADER.format(plurals=catalogue.plural_forms).encode() + out.getvalue()


def untranslated(catalogue: Catalog) -> list[str]:
    """The sentences that have no translation."""
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue
        if message.id and not all(message.string if isinstance(message.string, tuple) else (message.string,))
    ]


def main() -> int:
    """Update, or with ``--check`` compare; the exit status says whether anything is missing."""
    missing = 0
    for language in LANGUAGES:
        old = read(language)
        fresh = updated(old, language)
        path = CATALOGUES / f"{language}.po"
        if "--check" in sys.argv[1:]:
            wanted, has = {s.key for s in sentences()}, {key_of(m.id) for m in old if m.id}
            for text in wanted ^ has:
                print(f"{path.name}: {'missing' if text in wanted else 'unused'}: {text!r}")
                missing += 1
        else:
            path.write_bytes(written(fresh))
        for text in untranslated(fresh):
            print(f"{path.name}: no translation: {text!r}")
            missing += 1
    return 1 if missing else 0


def key_of(msgid: str | list[str] | tuple[str, ...]) -> str | tuple[str, ...]:
    """Like :attr:`Sentence.key`, for the id of a catalogue's message."""
    return msgid if isinstance(msgid, str) else tuple(msgid)


if __name__ == "__main__":
    sys.exit(main())
