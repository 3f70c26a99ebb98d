"""Ledgers in PostgreSQL."""
