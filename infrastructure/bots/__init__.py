"""The service at work at its own tables: it moves for bots, calls who is late, clears lobbies that nobody joined."""
