"""The commands, one module each, named as they are typed."""
