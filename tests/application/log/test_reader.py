"""What counts as a time in a log: written in the one way in which Fairdeal writes it."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.application.log.record import is_moment


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_time_in_utc_can_be_written(moment: datetime) -> None:
    assert is_moment(moment.isoformat(timespec="microseconds").replace("+00:00", "Z"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-02-30T00:00:00.000000Z",
        "2026-02-28T00:60:00.000000Z",
        "2026-W05-3T00:00:00.000000Z",
        "2026-02-28T00:00:00,000000Z",
        "2026-02-28 00:00:00.000000Z",
        "2026-02-28T00:00:00.000Z",
        "2026-02-28T00:00:00.000000z",
        "2026-02-28T00:00:00.000000Z ",
        "2026-02-28T00:00:00.000000",
        "2026-02-28T00:00:00.00+00:00",
        "2026-02-28T000000.00000000Z",
        "٢026-02-28T00:00:00.000000Z",
        "2026-02-28T00:00:00.00000٠Z",
    ],
)
def test_a_time_written_in_another_way_is_none(text: str) -> None:
    assert not is_moment(text)
