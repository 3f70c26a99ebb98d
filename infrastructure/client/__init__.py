"""Games of a server elsewhere, through the same calls as at home."""
