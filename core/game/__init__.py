"""The game of Renju: what is agreed, what is done, what follows."""

from core.action import Act, Action, ActionError, action, decode, encode, place
from core.game.afterwards import Manner, manner, unclaimed
from core.game.agreement import SERIOUS, before
from core.game.claims import claimable
from core.game.game import CorruptGame, Entry, Game, apply, begin, load, new_game, save
from core.game.outcome import Event, Happened, Outcome, Reason, Refusal, Why
from core.game.seats import phase_of
from core.game.settings import ALL_PROTOCOLS, MOST_HIDDEN, Draw, FoulMode, Seat, Settings, SettingsError, only_for
from core.game.state import GUESSING, State, Stone, other
from core.game.turns import offers_wanted, square

__all__ = [
    "ALL_PROTOCOLS",
    "GUESSING",
    "MOST_HIDDEN",
    "SERIOUS",
    "Act",
    "Action",
    "ActionError",
    "CorruptGame",
    "Draw",
    "Entry",
    "Event",
    "FoulMode",
    "Game",
    "Happened",
    "Manner",
    "Outcome",
    "Reason",
    "Refusal",
    "Seat",
    "Settings",
    "SettingsError",
    "State",
    "Stone",
    "Why",
    "action",
    "apply",
    "before",
    "begin",
    "claimable",
    "decode",
    "encode",
    "load",
    "manner",
    "new_game",
    "offers_wanted",
    "only_for",
    "other",
    "phase_of",
    "place",
    "save",
    "square",
    "unclaimed",
]
