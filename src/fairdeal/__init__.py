"""Fairdeal."""
