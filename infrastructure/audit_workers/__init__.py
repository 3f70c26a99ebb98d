"""The audit of a whole ledger by several processes."""
