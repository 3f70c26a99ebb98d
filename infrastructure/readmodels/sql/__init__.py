"""The questions as SQL."""
