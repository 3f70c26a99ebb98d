"""Stored payloads."""
