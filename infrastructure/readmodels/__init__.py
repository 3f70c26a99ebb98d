"""Read models in SQLAlchemy tables."""
