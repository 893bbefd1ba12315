"""How the fitting programs write their tables of weights: Python source that people can compare line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Nested: TypeAlias = "Sequence[Nested] | Sequence[int]"


def literal(numbers: Nested, depth: int = 0) -> str:
    """A nested list, the innermost rows one a line."""
    if not numbers or isinstance(numbers[0], int):
        return "    " * depth + repr(tuple(numbers))
    rows = ",\n".join(literal(row, depth + 1) for row in numbers)  # type: ignore[arg-type]
    return f"{'    ' * depth}(\n{rows},\n{'    ' * depth})"


def source(doc: str, tables: Sequence[tuple[str, str, Nested]]) -> str:
    """A module of constants: name, comment, numbers."""
    parts = [f'"""{doc}"""\n\n# fmt: off\n\nfrom typing import Final\n']
    parts += [f"#: {comment}\n{name}: Final = {literal(numbers)}\n" for name, comment, numbers in tables]
    return "\n".join(parts)
