"""One adapter per game: reads its scenario files and runs them against the real aggregate."""
