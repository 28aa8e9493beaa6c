"""What the metrics of a path hang on besides its rankings: the order of equal scores, and unjudged candidates.

Example:
  retrieval-eval bounds --fixtures data/fixtures/milvus --top-k 5

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from stages.core.case_building import build_cases
from stages.core.replay import replay_path
from stages.core.tied_cases import TiedValue, tied_values
from stages.core.unjudged_means import UnjudgedMean, unjudged_means
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState
from stages.records.yardstick import Yardstick
from stages.storage.golden import read_golden
from stages.storage.json_file import dump_json
from stages.storage.recordings import STATE_FILE, read_path_state, read_recordings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--fixtures", type=Path, default=Path("data/fixtures/baseline"), help="folder of recordings")
    add("--top-k", type=int, default=5, help="how many candidates count (default 5)")
    add("--grain", choices=("document", "section", "chunk"), default="section", help="grain of the headline metrics")
    add("--min-keyword-coverage", type=float, default=0.6, help="keywords to be seen for a strong hit (default 0.6)")
    add("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print both tables."""
    if not args.fixtures.is_dir() or args.top_k < 1:
        place, what = (
            ("--top-k", "it begins at 1") if args.top_k < 1 else (str(args.fixtures), "there is no such folder")
        )
        raise InputError([Problem(place, 0, 0, "", what, "See --help")])
    cases, problems = build_cases(read_golden(args.golden))
    if problems:
        raise InputError(problems)
    recordings = read_recordings(args.fixtures)
    state = PathState(path="fixture", status="ready")
    if (args.fixtures / STATE_FILE).exists():
        state = read_path_state(args.fixtures, "fixture")
    # As deep as was recorded, since a tie may reach beyond topK.
    deepest = max((len(recording.candidates) for recording in recordings.values()), default=1)
    rankings = replay_path(cases, recordings, state, args.top_k, [deepest])
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
