"""What became of each case that both sides have, and why."""

from collections.abc import Iterator

from stages.core.arm_causes import arm_causes
from stages.core.case_outcome import first_hit_rank, label, outcome, recall
from stages.core.evidence_causes import evidence_causes
from stages.core.exchange_steps import FACTORS, differing
from stages.core.label_changes import label_changes
from stages.core.ranking_causes import Recorded, move_causes, moves
from stages.core.side_comparison import Comparison
from stages.core.spoken import differs
from stages.records.review import Cause, Transition
from stages.records.scored import ScoredCase
from stages.records.side import Side


def transition(comparison: Comparison, id_: str) -> Transition:
    """Return what became of a case that both sides have; a case that did not change has no causes."""
    old, new = comparison.spoken[id_], comparison.scored[id_]
    return Transition(
        case_id=id_,
        old=label(old),
        new=label(new),
        outcome=outcome(old, new),
        old_rank=first_hit_rank(old),
        new_rank=first_hit_rank(new),
        old_recall=recall(old),
        new_recall=recall(new),
        causes=tuple(_causes(comparison, id_)) if changed(old, new) else (),
    )


def changed(old: ScoredCase, new: ScoredCase) -> bool:
    """Whether the level, what stands in its place, the rank of the first hit, or recall is another."""
    return outcome(old, new) not in {None, "draw"} or label(old) != label(new) or recall(old) != recall(new)


def _causes(comparison: Comparison, id_: str) -> Iterator[Cause]:
    if id_ in comparison.steps[0]:
        found = list(_scored_causes(comparison, id_))
        yield from found or _check_causes(comparison.scored[id_])
        return
    for case, words in ((comparison.spoken[id_], "it was"), (comparison.scored[id_], "it is")):
        if case.state != "ok":
            reason = f": {case.reason}" if case.reason else ""
            yield Cause(code=case.code or case.state, message=f"{words} {case.state.replace('_', ' ')}{reason}")
    yield from _label_causes(comparison, id_)


def _scored_causes(comparison: Comparison, id_: str) -> Iterator[Cause]:
    """Only what makes a difference is a cause: an edit that changes nothing for the case is not blamed."""
    old, new = comparison.old, comparison.new
    spoken, present = comparison.spoken[id_], comparison.steps[0][id_]
    if differs(spoken, present):
        message = f"BASE's report says {_worded(spoken)}, the present evaluator {_worded(present)} of the same input"
        yield Cause(code="evaluator_changed", message=message)
    if _involved(comparison, id_, "labels"):
        yield from _label_causes(comparison, id_)
    if _involved(comparison, id_, "yardstick"):
        yield from (Cause(code=code, message=words) for code, words in yardstick_changes(old, new))
    if _involved(comparison, id_, "retriever"):
        yield from _retriever_causes(comparison, id_)


def _label_causes(comparison: Comparison, id_: str) -> Iterator[Cause]:
    changes = label_changes(comparison.old.cases[id_], comparison.new.cases[id_])
    if changes:
        yield Cause(code="label_changed", message=f"labels: {'; '.join(changes)}")


def _retriever_causes(comparison: Comparison, id_: str) -> Iterator[Cause]:
    """Under the labels and the topK of the old side, as in the step that exchanges the recordings."""
    case, top_k = comparison.old.cases[id_], comparison.old.yardstick.top_k
    old, new = comparison.old.recordings[id_], comparison.new.recordings[id_]
    before, after = Recorded(old.candidates, top_k), Recorded(new.candidates, top_k)
    moved = moves(case, before, after)
    found = [cause for move in moved[:1] for cause in (*move_causes(move, before, after), *arm_causes(move, old, new))]
    found.extend(evidence_causes(case, before, after))
    found.extend(cause for move in moved[1:] for cause in move_causes(move, before, after))
    yield from found or [Cause(code="recording_changed", message="the recording changed")]


def _check_causes(case: ScoredCase) -> Iterator[Cause]:
    for check in case.failed_checks:
        yield Cause(code=check.code, message=check.message)


def yardstick_changes(old: Side, new: Side) -> list[tuple[str, str]]:
    """Return code and sentence for each parameter of scoring that differs."""
    before, after = old.yardstick.model_dump(), new.yardstick.model_dump()
    names = {"top_k": "topK"}
    return [
        (f"{name}_changed", f"{names.get(name, name)} was {_shown(before[name])} and is {_shown(after[name])}")
        for name in before
        if before[name] != after[name]
    ]


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else "null" if value is None else f"{value}"


def _involved(comparison: Comparison, id_: str, factor: str) -> bool:
    """Whether exchanging the factor, after those before it, changes the outcome."""
    index = FACTORS.index(factor)
    if not comparison.mixed:
        return differing(comparison.old, comparison.new, id_)[index]
    return changed(comparison.steps[index][id_], comparison.steps[index + 1][id_])


def _worded(case: ScoredCase) -> str:
    rank = first_hit_rank(case)
    return f"{label(case)} (first hit at {rank})" if rank else label(case)
