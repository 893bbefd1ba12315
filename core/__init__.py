"""Renju itself: rules, game, openings, engine and records. Pure, synchronous, complete without a chat."""
