"""Pardon: get rid of your hand, then of three open cards, then of three that nobody has seen."""
