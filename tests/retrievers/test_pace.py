"""How requests are spread."""

import asyncio

import pytest

from stages.retrievers.pace import RECENT, Pace


def after(pace, *seconds):
    for one in seconds:
        pace.lasted(one)
    return pace.distance()


class TestDistance:
    def test_before_any_answer_an_answer_of_50_ms_is_expected(self):
        assert Pace(None, 16).distance() == pytest.approx(0.9 * 0.05 / 16)

    def test_the_quickest_recent_answer_counts_so_that_a_slow_one_holds_nobody_up(self):
        assert after(Pace(None, 16), 0.03, 30.0) == pytest.approx(0.9 * 0.03 / 16)

    def test_answers_long_ago_are_forgotten(self):
        assert after(Pace(None, 4), 0.001, *[0.4] * RECENT) == pytest.approx(0.9 * 0.4 / 4)

    def test_a_limit_of_the_rate_counts_where_it_is_slower(self):
        assert Pace(20.0, 8).distance() == 0.05

    def test_a_limit_of_the_rate_does_not_count_where_it_is_quicker(self):
        assert after(Pace(1000.0, 2), *[0.1] * RECENT) == pytest.approx(0.9 * 0.1 / 2)


class TestTurn:
    def moments(self, pace, count):
        async def go():
            clock, found = asyncio.get_running_loop().time, []

            async def one():
                await pace.turn()
                found.append(clock())

            started = clock()
            await asyncio.gather(*(one() for _ in range(count)))
            return [moment - started for moment in found]

        return asyncio.run(go())

    def test_a_burst_is_drawn_apart(self):
        found = self.moments(Pace(None, 2), 3)
        assert found[1] >= 0.0225
        assert found[2] >= 0.045

    def test_after_a_pause_nobody_starts_early(self):
        async def go():
            pace, clock = Pace(None, 8), asyncio.get_running_loop().time
            started = clock()
            pace.pause(0.1)
            await pace.turn()
            return clock() - started

        assert asyncio.run(go()) >= 0.1
