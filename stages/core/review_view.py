"""What the Markdown and the terminal show of a review, in the order they show it."""

from collections.abc import Sequence
from typing import Any

from stages.core.attribution import STRONG
from stages.core.shared_causes import shared_causes
from stages.records.gate import RuleResult
from stages.records.review import Attribution, Counterfactual, Review, Transition

# The rank of the first hit is no headline: losing a late hit makes its mean better.
HEADLINES = {
    STRONG: "strong",
    "recall_at_k": "recall",
    "hit_at_k": "hit",
    "mrr": "MRR",
    "ndcg_at_k": "nDCG",
}
SEVERITY = ("regression", "loss", None, "draw", "win")
MOST_NAMES = 20
VERDICTS = {"pass": "pass", "fail": "FAIL", "inconclusive": "INCONCLUSIVE", "error": "ERROR"}


def review_view(review: Review, rows: int, width: int) -> dict[str, Any]:
    """Return the values of the review templates, with at most `rows` rows a table and `width` characters a cell."""
    changes = sorted(review.transitions, key=lambda case: (SEVERITY.index(case.outcome), case.case_id))
    together = shared_causes({case.case_id: why(case) for case in changes if case.outcome is None})
    told = {case_id for ids in together.values() for case_id in ids}
    return {
        "review": review,
        "verdict": VERDICTS[review.verdict],
        "outcome": outcome_sentence(review),
        "metrics": changed_metrics(review),
        "broken": [rule for rule in review.gate.rules if rule.verdict != "pass"],
        "together": list(together.items()),
        "levels": [case for case in changes if case.old != case.new and case.case_id not in told],
        "ranks": [case for case in changes if case.old == case.new and case.outcome != "draw"],
        "recalls": [case for case in changes if case.old == case.new and case.outcome == "draw"],
        "inputs": input_phrases(review),
        "misses": new_misses(review),
        "miss_summary": miss_summary(review),
        "why": why,
        "named": named_cases,
        "names": names,
        "rows": rows,
        "width": width,
    }


def names(cases: Sequence[str]) -> str:
    """Return case ids for one line of a terminal: the first twenty, and how many more there are."""
    more = len(cases) - MOST_NAMES
    return ", ".join(cases[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def outcome_sentence(review: Review) -> str:
    """Count what became of the compared cases."""
    regressions = f" ({counted(review.regressions, 'regression')})" if review.regressions else ""
    wins, losses = counted(review.wins, "win"), counted(review.losses, "loss", "losses")
    return f"{wins}, {losses}{regressions}, {counted(review.draws, 'draw')}"


def changed_metrics(review: Review) -> list[tuple[str, Attribution]]:
    """Return name and parts of the headline metrics of which the whole or a part changed, at most six."""
    shown = ((title, review.attribution[name]) for name, title in HEADLINES.items())
    return [(title, found) for title, found in shown if found.old != found.new or found.retriever or found.labels]


def new_misses(review: Review) -> list[Counterfactual]:
    """Return what would recover the misses among the cases that changed."""
    moved = {case.case_id for case in review.transitions}
    return [miss for miss in review.counterfactuals if miss.case_id in moved]


def miss_summary(review: Review) -> str:
    """Say how many of all misses twice the topK would recover; empty without a miss."""
    depths = [miss.top_k for miss in review.counterfactuals]
    if not depths:
        return ""
    twice = 2 * review.new.top_k
    near = sum(depth is not None and depth <= twice for depth in depths)
    words = f"{counted(len(depths), 'miss', 'misses')} in all; topK {twice} would recover {near}"
    hopeless = depths.count(None)
    return f"{words}; of {hopeless} nothing expected is recorded" if hopeless else words


def input_phrases(review: Review) -> list[str]:
    """Say what differs between the sides, one phrase a kind of input; nothing for what is the same."""
    inputs = review.inputs
    kinds = [change.kind for change in review.golden]
    phrases = [f"{counted(kinds.count(kind), 'case')} {kind}" for kind in ("added", "removed", "relabelled")]
    phrases += [
        f"{counted(inputs.recordings_changed, 'recording')} changed",
        f"{counted(inputs.recordings_renewed, 'recording')} renewed with the same ranking",
        f"{counted(inputs.recordings_added, 'recording')} added",
        f"{counted(inputs.recordings_removed, 'recording')} removed",
    ]
    told = [phrase for phrase in phrases if not phrase.startswith("0 ")]
    if inputs.evaluator_differs:
        told.append(f"the evaluator judges {counted(inputs.evaluator_differs, 'case')} otherwise than BASE's report")
    return [*told, *filter(None, [inputs.path_state]), *inputs.parameters]


def why(case: Transition) -> str:
    """Return the causes of a transition in one sentence."""
    return "; ".join(cause.message for cause in case.causes)


def named_cases(rule: RuleResult, rows: int) -> Sequence[str]:
    """Return the cases of a rule, as many as there is room for."""
    return rule.cases[:rows]


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{count} {one if count == 1 else many or one + 's'}"
