"""Commands: what somebody wants to happen, and how it is decided and stored."""
