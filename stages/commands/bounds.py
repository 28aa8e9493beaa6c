"""What the metrics of a path hang on besides its rankings: the order of equal scores, and unjudged candidates.

Example:
  retrieval-eval bounds --fixtures data/fixtures/milvus --top-k 5

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from stages.commands.evaluate import positive, share
from stages.commands.golden_cases import golden_cases
from stages.commands.recorded_folder import given_folder
from stages.core.replay import replay_path
from stages.core.tied_cases import TiedValue, tied_values
from stages.core.unjudged_means import UnjudgedMean, unjudged_means
from stages.records.yardstick import Yardstick
from stages.storage.json_file import dump_json
from stages.storage.reading import Reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--fixtures", type=Path, default=Path("data/fixtures/baseline"), help="folder of recordings")
    add("--top-k", type=positive, default=5, help="how many candidates count (default 5)")
    add("--grain", choices=("document", "section", "chunk"), default="section", help="grain of the headline metrics")
    add("--min-keyword-coverage", type=share, default=0.6, help="keywords to be seen for a strong hit (default 0.6)")
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print both tables."""
    with Reading() as reading:
        cases = reading.of(golden_cases, args.golden)
        found = reading.of(given_folder, args.fixtures)
    # As deep as was recorded, since a tie may reach beyond topK.
    deepest = max((len(recording.candidates) for recording in found.recordings.values()), default=1)
    rankings = replay_path(cases, found.recordings, found.state, args.top_k, [deepest])
    yardstick = Yardstick(
        top_k=args.top_k,
        cutoffs=(),
        primary_grain=args.grain,
        min_keyword_coverage=args.min_keyword_coverage,
        relevance_floor=None,
    )
    tied, means = tied_values(cases, rankings, yardstick), unjudged_means(cases, rankings, yardstick)
    if args.json:
        data = {"ties": [asdict(one) for one in tied], "unjudged": [asdict(one) for one in means]}
        print(dump_json(data), end="")
    else:
        print(_tie_table(tied) + "\n" + _mean_table(means), end="")
    return 0


def _tie_table(tied: Sequence[TiedValue]) -> str:
    cases = len({one.case_id for one in tied})
    head = f"{cases} cases hang on the order of equal scores.\n"
    if not tied:
        return head
    rows = (
        f"| {one.case_id} | {one.name} | {_shown(one.recorded)} | {_shown(one.least)} | {_shown(one.most)} |\n"
        for one in tied
    )
    return f"{head}\n| case | value | as recorded | least | most |\n|---|---|---|---|---|\n{''.join(rows)}"


def _mean_table(means: Sequence[UnjudgedMean]) -> str:
    rows = (f"| {one.name} | {_shown(one.irrelevant)} | {_shown(one.relevant)} | {one.n} |\n" for one in means)
    return f"| mean | unjudged irrelevant, as reported | unjudged relevant | n |\n|---|---|---|---|\n{''.join(rows)}"


def _shown(value: float | str | None) -> str:
    return "–" if value is None else value if isinstance(value, str) else f"{value:.4f}".removesuffix(".0000")
