"""Audits: whether a game is untouched, fair and legal."""
