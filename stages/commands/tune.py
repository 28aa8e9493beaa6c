"""Search RRF's k and the weights of the arms on one half of the cases, and judge them on the other.

The arms are replayed from their recordings; nothing is asked. Nothing is written either: the
parameters stay what they are until you change them.

Example: retrieval-eval tune --metric ndcg@10 --seed 7

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from stages.commands.evaluate import share
from stages.commands.golden_cases import golden_cases
from stages.commands.recorded_folder import path_answers
from stages.core.arm_answer import ArmAnswer, arm_answer
from stages.core.grains import Grain, judgments
from stages.core.hybrid import hybrid_recording
from stages.core.hybrid_path import PathAnswers
from stages.core.measure_names import parse_measure
from stages.core.tuning import Experiment, grid, tune
from stages.core.tuning_split import split_by_fault_type
from stages.records.case import Case
from stages.records.params.hybrid import HybridParams
from stages.records.params.tune import TuneParams
from stages.records.problem import InputError, Problem
from stages.records.recording import Candidate
from stages.rendering.template import render
from stages.storage.json_file import dump_json
from stages.storage.params import read_params
from stages.storage.reading import Reading

KS = (1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0, 100.0, 200.0)
SHARES = tuple(step / 10 for step in range(1, 10))
Arms = Mapping[str, ArmAnswer]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--bm25", type=Path, default=Path("data/build/bm25"), help="recordings of BM25 (made by `dvc repro search`)")
    add("--milvus", type=Path, default=Path("data/fixtures/milvus"), help="recordings of Milvus")
    add("--metric", type=measure, default="ndcg@10", help="what is made as large as possible (default ndcg@10)")
    add("--seed", type=int, default=0, help="decides the halves (default 0)")
    add("--k", type=rank_constant, nargs="+", default=KS, help="values of RRF's k to try")
    add("--share", type=share, nargs="+", default=SHARES, help="shares of BM25 to try; Milvus has the rest")
    add("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Print what was found; faulty input is the only failure."""
    with Reading() as reading:
        params = reading.of(read_params, TuneParams)
        cases = reading.of(golden_cases, args.golden)
        arms = {name: reading.of(path_answers, folder, name) for name, folder in _folders(args).items()}
    grain = params.hit_levels.primary_grain
    answers = _answers(arms, cases, params.hybrid.depth)
    usable, left_out = _usable(args, answers, cases, grain)
    tuned, held_out = split_by_fault_type(usable, args.seed)

    def retrieve(case: Case, hybrid: HybridParams) -> Sequence[Candidate]:
        weights = hybrid.weights.model_dump()
        arms = {name: arm for name, arm in answers[case.id].items() if weights[name]}
        return hybrid_recording(case.id, case.query, arms, hybrid, params.rerank).candidates

    experiment = Experiment(tuned, held_out, retrieve, args.metric, grain)
    report = tune(experiment, grid(params.hybrid, args.k, args.share), args.seed, left_out)
    print(dump_json(report) if args.json else render("tune.txt.j2", report=report), end="")
    return 0


def measure(text: str) -> str:
    """Return the name of a measure, for argparse."""
    try:
        parse_measure(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def rank_constant(text: str) -> float:
    """Return a value of RRF's k, within the bounds of params.yaml, for argparse."""
    value = float(text)
    if not 0 <= value <= 100_000:  # noqa: PLR2004
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100000")
    return value


def _folders(args: argparse.Namespace) -> dict[str, Path]:
    return {"bm25": args.bm25, "milvus": args.milvus}


def _usable(
    args: argparse.Namespace, answers: Mapping[str, Arms], cases: Sequence[Case], grain: Grain
) -> tuple[list[Case], dict[str, int]]:
    """The cases that can be tuned on, and how many are left out for which reason.

    Raises:
        InputError: Fewer than two cases are left, so there are no halves.
    """
    reasons = {case.id: _left_out(case, answers[case.id], grain) for case in cases}
    left_out = Counter(reason for reason in reasons.values() if reason)
    usable = [case for case in cases if not reasons[case.id]]
    if len(usable) < 2:  # noqa: PLR2004 (two halves)
        common = left_out.most_common(1)[0][0] if left_out else "no cases"
        what = f"{len(usable)} of {len(cases)} cases can be tuned on ({common})"
        remedy = "Record both arms: `dvc repro search`, `retrieval-eval capture milvus`"
        raise InputError([Problem(str(args.golden[0]), 0, 0, "", what, remedy)])
    return usable, dict(sorted(left_out.items()))


def _answers(arms: Mapping[str, PathAnswers], cases: Sequence[Case], depth: int) -> dict[str, Arms]:
    return {
        case.id: {
            name: arm_answer(case, found.state, found.recordings.get(case.id), depth) for name, found in arms.items()
        }
        for case in cases
    }


def _left_out(case: Case, arms: Arms, grain: Grain) -> str | None:
    if not any(grade > 0 for grade in judgments(case.expectations, grain).values()):
        return f"without a label by {grain}"
    faulty = [f"{name}: {arm.code}" for name, arm in sorted(arms.items()) if arm.code]
    return ", ".join(faulty) or None
