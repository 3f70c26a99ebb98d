"""Reviiyot: ask the others for cards, discard all four of a value, be the first without cards."""
