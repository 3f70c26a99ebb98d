"""What checkpoints need of the machine: keys that sign them, and a file that remembers the last one."""
