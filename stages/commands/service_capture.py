"""A capture of many cases from one service: concurrent, counted, and kept case by case. No verb."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator

from stages.commands.service_question import Question
from stages.core.capture_tally import CaptureTally
from stages.records.case import Case
from stages.records.problem import InputError
from stages.records.recording import Recording
from stages.storage.capture_journal import CaptureJournal


class Capture:
    """One run. Workers share one iterator, so few answers are in memory at a time.

    There are twice as many workers as requests may be on their way: while one reads an answer and writes it to the
    disk, another asks.
    """

    def __init__(self, question: Question, journal: CaptureJournal, top_k: int, progress: Callable[[], object]) -> None:
        self._question = question
        self._journal = journal
        self._top_k = top_k
        self._progress = progress
        self._asking = asyncio.Semaphore(question.service.limits.concurrency)
        self.tally = CaptureTally()
        self.damaged: list[str] = []

    @property
    def gave_up(self) -> bool:
        """Whether so many cases in a row got no usable answer that asking on is of no use."""
        return self.tally.in_vain(self._question.service.limits.give_up_after)

    def take_over(self, case: Case, answered: Collection[str]) -> bool:
        """Count the answer of an interrupted capture, if there is a sound one to the same query; say so.

        Another is dropped: if the case fails now, that answer must not take the place of an older good one.
        """
        if case.id not in answered:
            return False
        recording = self._sound_answer(case)
        if recording is None or recording.query != case.query:
            self._journal.discard(case.id)
            return False
        self.tally.add(case.id, recording)
        self._progress()
        return True

    def _sound_answer(self, case: Case) -> Recording | None:
        try:
            return self._journal.answer(case.id)
        except InputError:
            self.damaged.append(case.id)
            return None

    async def run(self, cases: Iterable[Case]) -> None:
        """Ask all cases, or until giving up."""
        waiting = iter(cases)
        async with asyncio.TaskGroup() as workers:
            for _ in range(2 * self._question.service.limits.concurrency):
                workers.create_task(self._work(waiting))

    async def _work(self, waiting: Iterator[Case]) -> None:
        for case in waiting:
            async with self._asking:
                if self.gave_up:
                    return
                answer = await self._question.answer(case, self._top_k)
            await asyncio.sleep(0)  # whoever waits for the slot asks before this answer is read
            outcome = self._question.recording(case, self._top_k, answer)
            self.tally.add(case.id, outcome)
            if isinstance(outcome, Recording):
                await asyncio.to_thread(self._journal.keep, outcome)
            self._progress()
