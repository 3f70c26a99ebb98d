"""The page: static files that a browser loads as they are."""
