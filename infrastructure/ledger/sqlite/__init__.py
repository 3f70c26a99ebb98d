"""Ledgers in SQLite files."""
