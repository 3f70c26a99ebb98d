"""Where read models are, unless somebody says otherwise; known without loading what it takes to open them."""

from pathlib import Path


def beside(address: str) -> str:
    """Where read models go by default: a file next to the ledger's, or the same PostgreSQL database."""
    scheme, _, rest = address.partition(":")
    if scheme != "sqlite":
        return address
    path = Path(rest.removeprefix("///"))
    return f"sqlite:///{path.with_name(f'{path.stem}.read{path.suffix}')}"
