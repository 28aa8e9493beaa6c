"""What would recover each miss of the new side."""

from collections.abc import Iterator

from stages.core.counterfactual_depth import smallest_top_k
from stages.core.counterfactual_weights import Miss, fusion_params, smallest_weight_change
from stages.core.side_comparison import Comparison
from stages.records.params.fuse import FuseParams
from stages.records.review import Counterfactual, WeightChange
from stages.records.side import Side


def counterfactuals(comparison: Comparison) -> Iterator[Counterfactual]:
    """Yield one a miss, sorted by case id; of two reports nothing is known beyond topK, and nothing is yielded."""
    if not comparison.mixed:
        return
    params = fusion_params(comparison.new.state.provenance)
    for id_, scored in sorted(comparison.scored.items()):
        if scored.level == "miss":
            yield _counterfactual(comparison.new, id_, params)


def _counterfactual(side: Side, id_: str, params: FuseParams | None) -> Counterfactual:
    case, recording = side.cases[id_], side.recordings[id_]
    deeper = smallest_top_k(case, recording.candidates, side.yardstick.min_keyword_coverage)
    depth = len(recording.candidates)
    cut = smallest_weight_change(Miss(case, recording, params, side.yardstick)) if params and deeper else None
    words = [f"topK {deeper[0]} would make it {deeper[1]}" if deeper else f"nothing expected among {depth} recorded"]
    if cut and params:
        before = getattr(params.hybrid.weights, cut[0])
        words.append(f"the weight of {cut[0]} from {before:g} to {cut[1]:g} would make it {cut[2]}")
    return Counterfactual(
        case_id=id_,
        top_k=deeper[0] if deeper else None,
        level=deeper[1] if deeper else None,
        depth=depth,
        weight=WeightChange(arm=cut[0], weight=cut[1], level=cut[2]) if cut else None,
        message="; ".join(words),
    )
