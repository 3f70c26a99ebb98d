"""The rules of the games in plain Python: no clock, no input or output, no global random numbers."""
