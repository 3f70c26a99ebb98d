"""Where records are kept: adapters of the eventsourcing library."""
