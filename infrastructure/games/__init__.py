"""Files of single games."""
