"""What each path of the interface does."""
