"""One number for all that a ledger holds, and proofs against it."""
