"""One module per game: tables laid out in one line, for tests that read as sentences."""
