"""Attacks on the whole system, bounded in time, with a seed; `make attack` runs them, `make test` a little of each."""
