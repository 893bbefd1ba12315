"""Each opening protocol in a few lines (rules section 9)."""

from __future__ import annotations

from bot.words.catalogue import Words


def protocol_rules(words: Words, protocol: str) -> str:
    """How the game opens under a protocol of ``core.game.ALL_PROTOCOLS``. Raises ``ValueError`` for any other."""
    match protocol:
        case "free":
            return words.say(
                "free: the first stone goes to the centre, H8; then the players just play. With free_first it may go "
                "anywhere; with no_offbook moves 1 to 3 form one of the 26 openings."
            )
        case "rif":
            return words.say(
                "rif: one player puts the first three stones: Black on H8, White next to it, Black within two points "
                "of H8. The other may swap colours. White plays move 4. Black offers two fifth moves that are not "
                "equivalent, White chooses one of them and plays move 6. With move2_by=white the other player puts "
                "the second stone."
            )
        case "swap_1989":
            return words.say(
                "swap_1989: as rif, but the other player puts the second stone, and the openings D13 and I13 are left "
                "out."
            )
        case "yamaguchi":
            return words.say(
                "yamaguchi: one player puts the three stones of an opening and declares how many fifth moves there "
                "will be, up to 12 (k_max). The other may swap colours. White plays move 4, Black offers so many fifth "
                "moves, White chooses one and plays move 6."
            )
        case "soosyrv_8":
            return words.say(
                "soosyrv_8: one player puts the three stones of an opening, the other may swap colours. White plays "
                "move 4 and declares 1 to 8 fifth moves; the other side may swap colours. Black offers so many fifth "
                "moves, White chooses one and plays move 6."
            )
        case "soosyrv_4":
            return words.say("soosyrv_4: as soosyrv_8, but at most 4 fifth moves are declared.")
        case "tarannikov":
            return words.say(
                "tarannikov: moves 1 to 5 are played in growing squares around H8, of side 1, 3, 5, 7 and 9. After "
                "each of them the other player may swap colours."
            )
        case "taraguchi_10":
            return words.say(
                "taraguchi_10: as tarannikov up to move 4. Then the other player swaps, keeps the colours, or offers "
                "ten fifth moves anywhere instead. After ten offers White chooses one and plays move 6; otherwise move "
                "5 lies in the square of side 9, and one more swap is possible."
            )
        case "taraguchi_5":
            return words.say("taraguchi_5: as taraguchi_10, but five fifth moves are offered.")
        case "sakata":
            return words.say(
                "sakata: one player puts the three stones of an opening. The other puts moves 4 and 5, in the squares "
                "of side 7 and 9. The first takes Black or White; White plays move 6."
            )
        case "super_sakata":
            return words.say(
                "super_sakata: as sakata, but whoever is to take a colour may add a white and a black stone instead "
                "and leave the choice to the other: three times at most. An added stone may neither make five nor be "
                "a forbidden move."
            )
        case "designated":
            return words.say(
                "designated: the players agree on one of the 26 openings, such as: designated D4. Its three stones "
                "are set up, and White plays move 4. With five_offers Black then offers two fifth moves, White chooses "
                "one and plays move 6."
            )
        case "swap":
            return words.say(
                "swap: one player puts a black, a white and a black stone anywhere. The other takes Black or White. "
                "White moves next."
            )
        case "swap2":
            return words.say(
                "swap2: one player puts a black, a white and a black stone anywhere. The other takes Black or White, "
                "or adds a white and a black stone and leaves the choice to the first. White moves next."
            )
        case "pro":
            return words.say(
                "pro: Black begins on H8, White plays anywhere, and Black’s second stone lies outside the central "
                "5 × 5 square."
            )
        case "long_pro":
            return words.say("long_pro: as pro, but Black’s second stone lies outside the central 7 × 7 square.")
        case _:
            raise ValueError(f"no rules of {protocol!r}")
