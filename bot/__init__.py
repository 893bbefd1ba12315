"""The chat around the game. It knows no rules."""
