"""By which release the tables were made; known without loading what it takes to open them."""

HEAD = "0005"
"""The newest migration; alembic is loaded only if the database is not there yet."""

VERSION_TABLE = "fairdeal_schema"

GAMES_VERSION = 1
"""The version of the projection of games: raised when its tables must be folded anew."""
