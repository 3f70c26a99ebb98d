"""What is wrong with a log, and at which record."""


class Fault(Exception):
    """The first record at which something is wrong."""

    def __init__(self, record: int, why: str) -> None:
        super().__init__(why)
        self.record = record
        self.why = why


class Misdealt(Fault):
    """What chance should have given and what was recorded are two different things."""
