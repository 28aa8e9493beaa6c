"""Two runs over the same cases, measure by measure, with the statistics that fit a small set."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from stages.core.bootstrap import BootstrapInterval, bootstrap_interval
from stages.core.holm import holm
from stages.core.paired_differences import PairedDifferences, pair
from stages.core.paired_tests import SignTest, sign_test
from stages.core.randomisation_test import RandomisationTest, randomisation_test
from stages.core.resolution import resolution_sentence

Values = Mapping[str, float | None]


@dataclass(frozen=True)
class MeasureComparison:
    """One measure; p-values are two-sided unless they say otherwise.

    Attributes:
        pairs: Differences, wins, losses and ties.
        sign: The exact sign test.
        randomisation: The randomisation test of the mean difference.
        p_holm: Its p-value, adjusted for the number of measures compared.
        interval: The bootstrap interval of the mean difference; None of fewer than two cases.
        resolution: What a set of this size can tell.
    """

    pairs: PairedDifferences
    sign: SignTest
    randomisation: RandomisationTest
    p_holm: float
    interval: BootstrapInterval | None
    resolution: str

    def as_data(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        data = asdict(self.pairs)
        del data["differences"]
        interval = self.interval
        return {
            "n": len(self.pairs.differences),
            "mean_difference": data.pop("mean"),
            **data,
            "sign_test": self.sign._asdict(),
            "randomisation_test": self.randomisation._asdict() | {"p_holm": self.p_holm},
            "interval": interval._asdict() if interval else None,
            "resolution": self.resolution,
        }


def compare_measures(before: Mapping[str, Values], after: Mapping[str, Values]) -> dict[str, MeasureComparison]:
    """Compare the measures (name to case to value) that both sides have."""
    paired = {name: pair(before[name], after[name]) for name in before if name in after}
    tests = {name: randomisation_test(pairs.differences) for name, pairs in paired.items()}
    adjusted = holm({name: test.p for name, test in tests.items()})
    return {
        name: MeasureComparison(
            pairs=pairs,
            sign=sign_test(len(pairs.wins), len(pairs.losses)),
            randomisation=tests[name],
            p_holm=adjusted[name],
            interval=bootstrap_interval(pairs.differences),
            resolution=resolution_sentence(len(pairs.differences)),
        )
        for name, pairs in paired.items()
    }
