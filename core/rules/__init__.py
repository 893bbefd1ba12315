"""The exact rules of Renju: fives, forbidden points and why, dead boards.

Everything that asks a rule asks here: the game, the engine, the claim button, pictures. For the engine's inner loops
``judge_kernel(board, point)`` and ``forbidden_map_kernel(board, out)`` are the same rules without checks or copies.
"""

from core.rules.dead import dead_board
from core.rules.explain import Explanation, Growth, Shape, explain, near_misses
from core.rules.five import five_line
from core.rules.forbidden import forbidden, forbidden_maps, judge
from core.rules.kernels import forbidden_map_kernel, judge_kernel
from core.rules.verdict import Verdict

__all__ = [
    "Explanation",
    "Growth",
    "Shape",
    "Verdict",
    "dead_board",
    "explain",
    "five_line",
    "forbidden",
    "forbidden_map_kernel",
    "forbidden_maps",
    "judge",
    "judge_kernel",
    "near_misses",
]
