"""How events are folded into the tables: once, in order, and again when asked."""
