"""Show one case: query, expectations, and each path's ranking side by side with what matched and why.

Example: retrieval-eval show mq-lag-where-to-look --path fixture --path current

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.commands.evaluate import positive
from stages.commands.review_side import PARAMS, read_files, read_section, read_side
from stages.core.showing import show_path
from stages.records.params.score import ScoreParams
from stages.records.problem import InputError, Problem
from stages.records.shown_case import ShownCandidate, ShownCase
from stages.records.side import Side
from stages.rendering.columns import cells, clip, side_by_side
from stages.rendering.markdown_text import plain_line
from stages.rendering.template import render
from stages.storage.json_file import dump_json
from stages.storage.reading import Reading

ROOT = Path()
WIDTH = 120
LADDER = len("DSBK ")
SHORTEST = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("case", metavar="CASE", help="id of a golden case")
    add("--path", action="append", help="path of params.yaml, may be repeated (default: all that have the case)")
    add("--depth", type=positive, help="how many candidates to show (default: topK)")
    add("--json", action="store_true", help="print it as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the case."""
    sides = _sides(args)
    depth = args.depth or sides[0].yardstick.top_k
    told = [side for side in sides if args.path or args.case in side.recordings] or sides[:1]
    file, line = sides[0].places[args.case]
    shown = ShownCase(
        case=sides[0].cases[args.case],
        file=file,
        line=line,
        top_k=sides[0].yardstick.top_k,
        paths=tuple(show_path(side, args.case, depth) for side in told),
    )
    print(dump_json(shown) if args.json else render("show.txt.j2", shown=shown, table=_table(shown)), end="")
    return 0


def _sides(args: argparse.Namespace) -> list[Side]:
    files = read_files(ROOT, None, [PARAMS])
    if PARAMS not in files:
        raise _fault(PARAMS, "there is no such file", "Run it at the root of the project")
    with Reading() as reading:
        return [reading.of(_side, args, path) for path in args.path or read_section(files, ScoreParams).paths]


def _side(args: argparse.Namespace, path: str) -> Side:
    side = read_side(ROOT, None, path, path)
    if side is None:
        raise _fault(PARAMS, f"there is no path called {path}, or no golden case", "Name a path of params.yaml")
    if args.case not in side.cases:
        raise _fault(args.case, "no golden file has such a case", "Check the name; `id:` in data/golden has it")
    return side


def _fault(place: str, what: str, remedy: str) -> InputError:
    return InputError([Problem(place, 0, 0, "", what, remedy)])


def _table(shown: ShownCase) -> str:
    depth = max((len(path.candidates) for path in shown.paths), default=0)
    widest = max(20, WIDTH // len(shown.paths))
    columns = [[path.path, "----", *_cells(path.candidates, depth, widest)] for path in shown.paths]
    ranks = ["rank", "----", *map(str, range(1, depth + 1))]
    rows = [list(row) for row in zip(ranks, *columns, strict=True)]
    if depth > shown.top_k:
        rows.insert(shown.top_k + 2, ["----"] * len(rows[0]))
    return side_by_side(rows, widest)


def _cells(candidates: Sequence[ShownCandidate], depth: int, widest: int) -> list[str]:
    shown = [f"{_ladder(one)} {_name(plain_line(one.name), widest - LADDER)}" for one in candidates]
    return shown + [""] * (depth - len(shown))


def _name(name: str, widest: int) -> str:
    """Cut the document of a long name, since neighbours differ in their sections."""
    document, mark, section = name.partition("#")
    room = widest - cells(mark + section)
    return f"{clip(document, room)}{mark}{section}" if mark and room >= SHORTEST else name


def _ladder(one: ShownCandidate) -> str:
    rungs = {"D": one.document, "S": one.section, "B": one.breadcrumb, "K": one.keywords}
    return "".join(letter if met else "·" for letter, met in rungs.items())
