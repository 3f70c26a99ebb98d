"""What one can do with games: commands and their handlers, queries, replay, audit; no database in sight."""
