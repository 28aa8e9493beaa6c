"""Two sides to the review: what changed, why, and whether it may be merged."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from stages.core.attribution import STRONG, attribute
from stages.core.candidate_names import candidate_name
from stages.core.case_outcome import dropped
from stages.core.counterfactuals import counterfactuals
from stages.core.gate_pair import GatePair
from stages.core.gate_rules import judge_gate
from stages.core.golden_changes import golden_changes
from stages.core.measure_plan import AT_TOP_K
from stages.core.paired_tests import sign_test
from stages.core.side_comparison import Comparison
from stages.core.transitions import changed, transition, yardstick_changes
from stages.core.unjudged_drops import optimistic_cases
from stages.records.accepted import AcceptedCase
from stages.records.params.gate import GateParams
from stages.records.recording import PathState, Recording
from stages.records.review import Inputs, Review, SideSummary
from stages.records.scored import ScoredCase
from stages.records.side import Side

ATTRIBUTED = (STRONG, *AT_TOP_K)


def review(comparison: Comparison, params: GateParams, ledger: Sequence[AcceptedCase], today: date) -> Review:
    """Say what changed between two sides of one path, and hold the new one against the gate."""
    spoken, scored = comparison.spoken, comparison.scored
    gate = judge_gate(GatePair(spoken, scored, ledger, today, optimistic_cases(comparison)), params)
    cases = [transition(comparison, id_) for id_ in comparison.common]
    outcomes = [case.outcome for case in cases]
    lost = outcomes.count("loss") + outcomes.count("regression")
    compared = comparison.compared
    return Review(
        verdict=gate.verdict,
        path=comparison.new.state.path,
        old=_summary(comparison.old, spoken),
        new=_summary(comparison.new, scored),
        compared=len(compared),
        wins=outcomes.count("win"),
        losses=lost,
        regressions=outcomes.count("regression"),
        draws=outcomes.count("draw"),
        p_one_sided=sign_test(outcomes.count("win"), lost).p_one_sided,
        notes=(*comparison.notes, *_set_notes(comparison)),
        inputs=_inputs(comparison),
        attribution={metric: attribute(comparison.steps, metric, compared) for metric in ATTRIBUTED},
        transitions=tuple(case for case in cases if changed(spoken[case.case_id], scored[case.case_id])),
        golden=tuple(golden_changes(comparison)),
        counterfactuals=tuple(counterfactuals(comparison)),
        cases=tuple(cases),
        gate=gate,
    )


def _summary(side: Side, cases: Mapping[str, ScoredCase]) -> SideSummary:
    scored = sum(case.level is not None or case.false_positives is not None for case in cases.values())
    return SideSummary(name=side.name, cases=len(cases), scored=scored, top_k=side.yardstick.top_k)


def _set_notes(comparison: Comparison) -> Iterator[str]:
    old, new = comparison.old, comparison.new
    added, removed = new.cases.keys() - old.cases.keys(), old.cases.keys() - new.cases.keys()
    if old.cases and (added or removed):
        sets = f"{len(added)} added, {len(removed)} removed"
        yield f"the case set changed ({sets}): compared are the {len(comparison.steps[0])} common cases"
    renamed = [
        f"{after} asks what {before} asked" for before, after in _renamed(comparison, sorted(removed), sorted(added))
    ]
    if renamed:
        yield f"if these were renamed, rename their recordings too: {', '.join(renamed)}"
    orphans = sorted(new.recordings.keys() - new.cases.keys() - (old.recordings.keys() - old.cases.keys()))
    if orphans:
        yield f"recordings that belong to no case any more: {', '.join(orphans)}"
    skipped = [id_ for id_ in comparison.common if id_ not in comparison.compared]
    if skipped:
        yield f"common cases that are not compared, because one side did not score them: {len(skipped)}"
    held = [id_ for id_ in comparison.compared if _held_by_labels(comparison, id_)]
    if held:
        yield f"only their edited labels keep these cases from being weaker than in BASE: {', '.join(held)}"


def _renamed(comparison: Comparison, removed: Sequence[str], added: Sequence[str]) -> Iterator[tuple[str, str]]:
    queries = {comparison.new.cases[id_].query: id_ for id_ in added}
    for id_ in removed:
        if comparison.old.cases[id_].query in queries:
            yield id_, queries[comparison.old.cases[id_].query]


def _held_by_labels(comparison: Comparison, id_: str) -> bool:
    """Whether the new ranking is weaker under the labels of BASE, and is not under the new ones."""
    if not comparison.mixed:
        return False
    spoken, under_old = comparison.spoken[id_], comparison.steps[1][id_]
    return dropped(spoken, under_old) and not dropped(spoken, comparison.scored[id_])


def _inputs(comparison: Comparison) -> Inputs:
    old, new = comparison.old, comparison.new
    pairs = [
        (old.recordings[id_], new.recordings[id_]) for id_ in sorted(old.recordings.keys() & new.recordings.keys())
    ]
    others = [(before, after) for before, after in pairs if before != after]
    renewed = sum(_names(before) == _names(after) for before, after in others)
    return Inputs(
        recordings_changed=len(others) - renewed,
        recordings_renewed=renewed,
        recordings_added=len(new.recordings.keys() - old.recordings.keys()),
        recordings_removed=len(old.recordings.keys() - new.recordings.keys()),
        parameters=tuple(words for _, words in yardstick_changes(old, new)),
        path_state=_state_change(old.state, new.state),
        evaluator_differs=len(comparison.evaluator_differs),
    )


def _state_change(old: PathState, new: PathState) -> str:
    if old.status == new.status:
        return ""
    reason = f" ({new.reason})" if new.reason else ""
    return f"the path was {old.status} and is {new.status}{reason}"


def _names(recording: Recording) -> list[tuple[int, str, str | None]]:
    return [(c.rank, candidate_name(c), c.chunk_id) for c in recording.candidates]
