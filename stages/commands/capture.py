"""Ask a service or an engine, and write recordings that the pipeline replays.

Services (current, sidecar, live) are described in services.yaml; engines (bm25, milvus, hybrid, baseline, rerank)
search the corpus here. Examples:

  retrieval-eval capture sidecar --dry-run          print the request of the first case
  retrieval-eval capture sidecar --probe            send it, and show what the mapping makes of the answer
  retrieval-eval capture sidecar --tag paraphrase   record the cases with this tag
  retrieval-eval capture --presets dify             print a ready mapping
  retrieval-eval capture milvus                     record what Milvus finds in the corpus, with the embedder
  retrieval-eval capture baseline                   record the hybrid as the baseline
  retrieval-eval capture baseline --recorded        the same from the recorded arms, after a change of weights

Exit codes: 0 done, also when the service or the engine is not there; 2 bad input or usage, or another capture of the
path is running; 3 --probe got no answer to record. When it is not there the last good recordings stay, and the state
of the path says what happened: `status` and `code` of --json, and in recording.json.
"""

import argparse
import sys
from pathlib import Path

from stages.commands.evaluate import positive
from stages.records.problem import InputError, Problem
from stages.storage.presets import preset_text, read_presets

SERVICES = ("current", "sidecar", "live")
ENGINES = ("bm25", "milvus", "hybrid", "baseline", "rerank")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("target", nargs="?", choices=(*SERVICES, *ENGINES), metavar="TARGET", help=f"{', '.join(SERVICES + ENGINES)}")
    add("--case", action="append", default=[], metavar="ID", help="only this case; may be repeated")
    add("--tag", action="append", default=[], metavar="TAG", help="only cases with one of these tags")
    add("--scenario", action="append", default=[], metavar="NAME", help="only cases of one of these scenarios")
    add("--top-k", type=positive, metavar="K", help="how many candidates (default: topK; engines: their depth)")
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--out", type=Path, metavar="DIR", help="folder of the recordings (default: the path's dir in params.yaml)")
    add("--corpus", type=Path, default=Path("data/corpus"), help="what engines search: a folder of *.md or a *.jsonl")
    add("--retriever", choices=("bm25", "milvus", "hybrid"), default="hybrid", help="what the baseline is made with")
    add("--recorded", action="store_true", help="hybrid, baseline: fuse what milvus recorded, without asking it")
    add("--services", type=Path, default=Path("services.yaml"), help="description of the services")
    add("--dry-run", action="store_true", help="print the request of one case and send nothing")
    add("--probe", action="store_true", help="ask about one case and show what the mapping makes of the answer")
    add("--resume", action="store_true", help="go on with a capture that was interrupted")
    add("--json", action="store_true", help="print the state of the path as JSON")
    add("--presets", nargs="?", const="", metavar="NAME", help="print the names of the presets, or one preset")


def run(args: argparse.Namespace) -> int:
    """Hand over to the engines or to the services."""
    if args.presets is not None:
        return _print_presets(args.presets)
    if args.target is None:
        print(f"name what to capture: {', '.join(SERVICES + ENGINES)}", file=sys.stderr)
        return 2
    if args.target in SERVICES:
        from stages.commands.capture_service import capture_service

        return capture_service(args)
    from stages.commands.capture_engine import capture_engine

    return capture_engine(args)


def _print_presets(name: str) -> int:
    presets = read_presets()
    if name and name not in presets:
        what = f"{name!r} is no preset"
        raise InputError([Problem("--presets", 0, 0, "", what, f"Take one of {', '.join(presets)}")])
    if name:
        print(preset_text(name), end="")
        return 0
    width = max(map(len, presets))
    print("\n".join(f"{one:<{width}}  {preset['about'].split('. ')[0].rstrip('.')}" for one, preset in presets.items()))
    return 0
