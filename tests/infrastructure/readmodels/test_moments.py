"""Times in rows for SQLite are written by our own code, as SQLAlchemy would write them."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import DateTime
from sqlalchemy.dialects import sqlite

from fairdeal.infrastructure.readmodels.tables import Moment

DIALECT = sqlite.dialect()
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC) | OFFSETS))
@example(datetime(2026, 1, 1, tzinfo=UTC))
def test_a_time_is_written_as_sqlalchemy_writes_it(moment: datetime) -> None:
    ours = Moment().dialect_impl(DIALECT).bind_processor(DIALECT)
    theirs = DateTime().dialect_impl(DIALECT).bind_processor(DIALECT)
    assert ours is not None
    assert theirs is not None
    assert ours(moment) == theirs(moment.astimezone(UTC))
    assert ours(None) is None
