"""What happened to the golden set: added, removed and relabelled cases."""

from collections.abc import Iterator

from stages.core.case_outcome import label
from stages.core.label_changes import label_changes
from stages.core.side_comparison import Comparison
from stages.records.review import GoldenChange
from stages.records.scored import ScoredCase


def golden_changes(comparison: Comparison) -> Iterator[GoldenChange]:
    """Yield the changes sorted by case id.

    A relabelled case has the level of its new ranking under the old and under the new labels, so that the edit is
    judged apart from the retriever; an added case has only a new level, a removed one only the level of BASE.
    """
    old, new, spoken, scored = comparison.old, comparison.new, comparison.spoken, comparison.scored
    under_old, under_new = comparison.steps[1], comparison.steps[-2]
    for id_ in sorted(old.cases.keys() | new.cases.keys()):
        if id_ not in old.cases:
            yield _change(id_, "added", (), None, scored[id_])
        elif id_ not in new.cases:
            yield _change(id_, "removed", (), spoken[id_], None)
        elif old.cases[id_] != new.cases[id_]:
            details = tuple(label_changes(old.cases[id_], new.cases[id_]))
            yield _change(id_, "relabelled", details, under_old.get(id_, spoken[id_]), under_new.get(id_, scored[id_]))


def _change(
    id_: str, kind: str, details: tuple[str, ...], old: ScoredCase | None, new: ScoredCase | None
) -> GoldenChange:
    levels = [label(case) if case else None for case in (old, new)]
    return GoldenChange.model_validate(
        {"case_id": id_, "kind": kind, "details": details, "old_level": levels[0], "new_level": levels[1]}
    )
