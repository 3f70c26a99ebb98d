"""Who may do what: the port for a policy of one's own, the strict one for outsiders, and trust."""

from fairdeal.application.commands.policy import (
    OPERATOR,
    STAFF,
    STRICT,
    TRUSTING,
    Caller,
    Policy,
    Strict,
    TableFacts,
    Trusting,
    not_allowed_error,
)

__all__ = [
    "OPERATOR",
    "STAFF",
    "STRICT",
    "TRUSTING",
    "Caller",
    "Policy",
    "Strict",
    "TableFacts",
    "Trusting",
    "not_allowed_error",
]
