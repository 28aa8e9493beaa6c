"""The command line: one verb a file of `stages.commands`, imported only when it is used."""

import argparse
import sys
from types import ModuleType

from stages.rendering.terminal import run_reporting

VERBS = {
    "accept": "tolerate a known failure until a date, in a ledger that the gate reads",
    "audit": "try known damage on the recordings, and see what the golden set would notice",
    "bounds": "say what the metrics hang on besides: equal scores, and unjudged candidates",
    "capture": "ask a service or an engine, and write recordings",
    "check": "hold the golden set against the corpus, with a patch for what moved",
    "diff": "say what changed against BASE, why, and whose doing it is",
    "evaluate": "score cases against recordings or a retriever, without DVC",
    "export": "write cases, rankings and corpus in another program's format",
    "gate": "say whether the change may merge: exit code 0, 1, 2 or 3",
    "import": "read cases, rankings and corpus of another program",
    "label": "judge unjudged candidates, in the terminal or in a spreadsheet",
    "live": "capture the live path, and say whether it is accepted",
    "new": "make a golden case from a question",
    "pivot": "show one metric by group and path",
    "runs": "compare two stored runs: aggregates, or recordings",
    "serve": "evaluate retrievers over HTTP, or follow one question through them",
    "show": "show one case: each path's ranking, with what matched and why",
    "summary": "print the headline of the committed baseline, and where the reports are",
    "trec": "score a TREC run against judgments, as trec_eval does",
    "tune": "search fusion settings on one half of the cases, judge them on the other",
}
EXIT_CODES = """\
Exit codes: 0 done, or passed; 1 not passed; 2 bad input or usage; 3 inconclusive; and for every verb 130 interrupted,
141 nobody reads the output.
"""
WIDTH = 120


def main() -> int:
    """Run the verb of the command line and return its exit code."""
    return run_reporting(lambda: _run(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        print(f"retrieval-eval {_version()}")
        return 0
    verb = next((word for word in arguments if not word.startswith("-")), None)
    if verb not in VERBS:
        _overview().parse_args(arguments)
        _overview().print_help(sys.stderr)
        return 2
    module = _module(verb)
    parser = argparse.ArgumentParser(prog=f"retrieval-eval {verb}", description=module.__doc__, formatter_class=_help)
    module.add_arguments(parser)
    rest = list(arguments)
    rest.remove(verb)
    code: int = module.run(parser.parse_args(rest))
    return code


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("retrieval-eval")
    except PackageNotFoundError:
        return "of a checkout that is not installed"


def _help(prog: str) -> argparse.HelpFormatter:
    # A width of its own: to ask for the terminal's, argparse would import five modules more, for every verb.
    return argparse.RawDescriptionHelpFormatter(prog, width=WIDTH)


def _overview() -> argparse.ArgumentParser:
    width = max(map(len, VERBS))
    table = "\n".join(f"  {verb:<{width}}  {words}" for verb, words in VERBS.items())
    parser = argparse.ArgumentParser(
        prog="retrieval-eval",
        description="Did retrieval get better or worse?",
        epilog=f"verbs:\n{table}\n\n{EXIT_CODES}\n`retrieval-eval VERB --help` says more.",
        formatter_class=_help,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    parser.add_argument("verb", choices=VERBS, metavar="VERB")
    return parser


def _module(verb: str) -> ModuleType:
    """Import one verb. The imports are written out, so that what each verb needs can be computed from the text."""
    module = _golden_module(verb) or _review_module(verb)
    if module:
        return module
    if verb == "bounds":
        from stages.commands import bounds

        return bounds
    if verb == "capture":
        from stages.commands import capture

        return capture
    if verb == "evaluate":
        from stages.commands import evaluate

        return evaluate
    if verb == "live":
        from stages.commands import live

        return live
    if verb == "serve":
        from stages.commands import serve

        return serve
    if verb == "summary":
        from stages.commands import summary

        return summary
    if verb == "trec":
        from stages.commands import trec

        return trec
    if verb == "tune":
        from stages.commands import tune

        return tune
    raise ValueError(verb)


def _golden_module(verb: str) -> ModuleType | None:
    """Import one of the verbs about the golden set."""
    if verb == "audit":
        from stages.commands import audit

        return audit
    if verb == "check":
        from stages.commands import check

        return check
    if verb == "export":
        from stages.commands import export_files

        return export_files
    if verb == "import":
        from stages.commands import import_files

        return import_files
    if verb == "label":
        from stages.commands import label

        return label
    if verb == "new":
        from stages.commands import new

        return new
    if verb == "pivot":
        from stages.commands import pivot

        return pivot
    if verb == "runs":
        from stages.commands import runs

        return runs
    return None


def _review_module(verb: str) -> ModuleType | None:
    """Import one of the verbs about a change."""
    if verb == "accept":
        from stages.commands import accept

        return accept
    if verb == "diff":
        from stages.commands import diff

        return diff
    if verb == "gate":
        from stages.commands import gate

        return gate
    if verb == "show":
        from stages.commands import show

        return show
    return None


if __name__ == "__main__":
    sys.exit(main())
