"""Read models: projections fold the ledger into SQLAlchemy tables, queries read them."""
