"""Folds of the ledger into tables that can be asked."""
