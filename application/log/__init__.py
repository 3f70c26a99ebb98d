"""The log of a game: records, their links, their bytes, and the one way to read them."""
