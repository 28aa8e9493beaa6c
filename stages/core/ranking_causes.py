"""Why a ranking serves a case otherwise than before: what moved, and what took its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stages.core.candidate_names import candidate_name, document_name, first_ranks
from stages.core.matching import document_rule, full_rule
from stages.core.normalise import normalise
from stages.records.case import Case
from stages.records.golden import Expectation
from stages.records.recording import Candidate
from stages.records.review import Cause

SHOWN = 3


@dataclass(frozen=True)
class Recorded:
    """All candidates recorded on one side, and how many of them count."""

    candidates: Sequence[Candidate]
    top_k: int


@dataclass(frozen=True)
class Move:
    """Where a candidate that meets an expectation first stood and stands; None where it is not recorded.

    `whole` says that no section was found but only the document, which then is what moved.
    """

    expectation: Expectation
    name: str
    old: Candidate | None
    new: Candidate | None
    whole: bool = False

    def candidates(self) -> set[str]:
        """Return the names of what moved."""
        return {candidate_name(candidate) for candidate in (self.old, self.new) if candidate}


def move_causes(move: Move, old: Recorded, new: Recorded) -> Iterator[Cause]:
    """Yield how an expected candidate moved, and what displaced it, replaced it, or merely tied with it."""
    yield _moved(move, old, new)
    if move.old and (move.new is None or move.new.rank > move.old.rank):
        yield from _replaced(move, old, new)
        yield from _displaced(move, move.old, old, new)
    yield from _tied(move, old, new)


def moves(case: Case, old: Recorded, new: Recorded) -> list[Move]:
    """Return the moves of relevant expectations into, out of or within topK, the highest on either side first."""
    found = [_move(expectation, old, new) for expectation in case.expectations if expectation.relevance > 0]
    told = {move.name: move for move in reversed(found) if _matters(move, old, new)}
    # A document whose first section is expected itself moved with it: that is one move, not two.
    sections = {name for move in told.values() if not move.whole for name in move.candidates()}
    told = {name: move for name, move in told.items() if not move.whole or not move.candidates() <= sections}
    return sorted(told.values(), key=lambda move: (min(_rank(move.old), _rank(move.new)), move.name))


def _move(expectation: Expectation, old: Recorded, new: Recorded) -> Move:
    """A candidate of the section where either side has one, else one of the document."""
    for rule in (full_rule, document_rule):
        before, after = (next((c for c in side.candidates if rule(expectation, c)), None) for side in (old, new))
        if before or after:
            break
    found = before or after
    if found and rule is full_rule:
        return Move(expectation, candidate_name(found), before, after)
    return Move(expectation, f"document {document_name(expectation)}", before, after, whole=True)


def _matters(move: Move, old: Recorded, new: Recorded) -> bool:
    counted = _rank(move.old) <= old.top_k or _rank(move.new) <= new.top_k
    return counted and _rank(move.old) != _rank(move.new)


def _rank(candidate: Candidate | None) -> float:
    return candidate.rank if candidate else float("inf")


def _moved(move: Move, old: Recorded, new: Recorded) -> Cause:
    if move.new is None:
        before = _rank(move.old)
        message = f"{move.name} was at rank {before} and is not among the {len(new.candidates)} recorded now"
        return Cause(code="lost", message=message)
    if move.old is None:
        message = f"{move.name} is at rank {move.new.rank} and was not among the {len(old.candidates)} recorded before"
        return Cause(code="found", message=message)
    fell = move.new.rank > move.old.rank
    words = f"{move.name} {'fell' if fell else 'rose'} from rank {move.old.rank} to {move.new.rank}"
    return Cause(code="fell" if fell else "rose", message=words)


def _replaced(move: Move, old: Recorded, new: Recorded) -> Iterator[Cause]:
    """A section which nobody knew before, of the same document, where the expected one is gone: perhaps renamed."""
    if move.new is not None or move.expectation.section is None:
        return
    known = {normalise(c.section or "") for c in old.candidates if document_rule(move.expectation, c)}
    for candidate in new.candidates[: new.top_k]:
        if document_rule(move.expectation, candidate) and normalise(candidate.section or "") not in known:
            message = f"{candidate_name(candidate)} at rank {candidate.rank} is new: was the section renamed?"
            yield Cause(code="section_replaced", message=message)
            return


def _displaced(move: Move, before: Candidate, old: Recorded, new: Recorded) -> Iterator[Cause]:
    was, limit = first_ranks(old.candidates), min(_rank(move.new), new.top_k + 1)
    own = move.candidates()
    now = {name: rank for name, rank in first_ranks(new.candidates).items() if rank < limit and name not in own}
    passed = [
        f"{name} ({_gain(was.get(name), rank)})" for name, rank in now.items() if _passed(was.get(name), rank, before)
    ]
    if passed:
        more = f" and {len(passed) - SHOWN} more" if len(passed) > SHOWN else ""
        yield Cause(code="displaced_by", message=f"displaced by {', '.join(passed[:SHOWN])}{more}")


def _passed(was: int | None, now: int, before: Candidate) -> bool:
    """Whether a rival moved up past the place; what merely stayed below and above is no cause."""
    return was is None or (was > before.rank and now < was)


def _gain(before: int | None, after: int) -> str:
    return "new" if before is None else f"{before - after:+d}"


def _tied(move: Move, old: Recorded, new: Recorded) -> Iterator[Cause]:
    """Rivals that it changed places with and that have the same score on both sides: only chance ordered them."""
    if move.old is None or move.new is None or move.new.score is None:
        return
    was, now = first_ranks(old.candidates), first_ranks(new.candidates)
    same = _twins(move.old, old) & _twins(move.new, new)
    twins = {name for name in same if (was[name] > move.old.rank) != (now[name] > move.new.rank)}
    if twins:
        names = ", ".join(sorted(twins)[:SHOWN])
        message = f"{move.name} and {names} have the same score {move.new.score:g}: their order is arbitrary"
        yield Cause(code="tie", message=message)


def _twins(candidate: Candidate, side: Recorded) -> set[str]:
    same = {candidate_name(c) for c in side.candidates if c.score is not None and c.score == candidate.score}
    return same - {candidate_name(candidate)}
