"""How fast Fairdeal is on this machine, each figure beside a baseline of the same run."""
