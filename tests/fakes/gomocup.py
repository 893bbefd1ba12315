"""A small engine that speaks the Gomocup protocol, well or badly: ``python gomocup.py MANNER``.

It plays all over the board, or in its manner: ``crashes`` ends at its third move, ``occupied`` plays on a stone,
``outside`` off the board, ``hangs`` never answers its second board, ``error`` answers with ERROR, ``row`` makes five
in a row along the edge, ``six`` makes six.
"""

from __future__ import annotations

import sys

SIZE = 15


def main(manner: str) -> None:
    boards = 0
    for line in sys.stdin:
        word = line.split()[0].upper() if line.split() else ""
        if word == "START":
            print("OK", flush=True)
        elif word == "END":
            return
        elif word == "BOARD":
            boards += 1
            stones = []
            for row in sys.stdin:
                if row.strip() == "DONE":
                    break
                stones.append(tuple(map(int, row.split(",")[:2])))
            print("MESSAGE thinking", flush=True)
            if manner == "crashes" and boards == 3:
                sys.exit(1)
            if manner == "hangs" and boards == 2:
                sys.stdin.read()
                return
            if manner == "error":
                print("ERROR no idea", flush=True)
            else:
                print("{},{}".format(*move(manner, stones)), flush=True)


def move(manner: str, stones: list[tuple[int, ...]]) -> tuple[int, ...]:
    if manner == "occupied":
        return stones[0]
    if manner == "outside":
        return SIZE, 0
    taken = set(stones)
    rows = {"row": (0, 1, 2, 3, 4), "six": (0, 1, 2, 4, 5, 3)}
    wanted = [(x, 0) for x in rows.get(manner, ()) if (x, 0) not in taken]
    free = [(x, y) for x in range(SIZE) for y in range(2, SIZE) if (x, y) not in taken]
    return wanted[0] if wanted else min(free, key=lambda p: (p[0] * 73 + p[1] * 151) % 223)


if __name__ == "__main__":
    main(sys.argv[1])
