"""Games as files that anybody can verify."""
