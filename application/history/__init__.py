"""A game as it is, as it was, and as it might have gone on."""
