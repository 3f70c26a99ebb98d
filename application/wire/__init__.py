"""What goes out: everything a service hands on, as JSON, and the schemas of that."""
