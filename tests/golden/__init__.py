"""Logs of whole games that must replay to the same end for ever."""
