"""The configuration files of Reviiyot, and what their hand-out wants printed."""
