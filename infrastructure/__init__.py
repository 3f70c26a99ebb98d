"""The outside world: bytes, databases, the command line."""
