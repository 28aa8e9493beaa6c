"""`retrieval-eval check`: everything that is wrong with the golden set, with its place, its remedy and a patch.

Exit codes: 0 nothing to do; 2 something to do, bad input or usage.
"""

import argparse
import difflib
import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from stages.core.case_building import build_cases
from stages.core.corpus_check import check_corpus
from stages.core.corpus_view import CorpusView, view_chunks, view_manifest
from stages.core.duplicate_queries import duplicate_queries
from stages.records.finding import Finding
from stages.records.golden_edit import GoldenEdit
from stages.records.located_case import LocatedCase, Location
from stages.records.problem import InputError
from stages.rendering.terminal import BAD_INPUT, problem_lines
from stages.storage.corpus import read_corpus
from stages.storage.corpus_manifest import read_manifest
from stages.storage.exact_text import read_exact
from stages.storage.golden import located_golden
from stages.storage.golden_editor import SHARED, patch_golden
from stages.storage.json_file import dump_json, write_json_lines
from stages.storage.reading import Reading
from stages.storage.text_file import read_text, write_text

KEEP = "when clean, or when labels of rewritten sections were read over: keep the corpus as it is now"
BY_HAND = "Change it by hand, or write out what stands behind the alias and run `retrieval-eval check --fix`"
EXAMPLE = """\
examples:
  retrieval-eval check                      all of data/golden against data/corpus
  retrieval-eval check --diff               what --fix would change
  retrieval-eval check --fix                follow renamed, moved, merged and split sections
  retrieval-eval check --update-manifest    after the corpus changed, the check is clean, and rewritten sections
                                            were read over

The manifest (one line a section: its place and digests of its sentences) tells where a section went. A corpus
whose text is not at hand may be given as such a manifest too: --corpus other-manifest.jsonl.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE
    parser.add_argument("golden", nargs="*", type=Path, help="golden files or folders (default: data/golden)")
    parser.add_argument("--corpus", type=Path, default=Path("data/corpus"), help="folder, JSONL of chunks, or manifest")
    parser.add_argument("--manifest", type=Path, default=Path("data/corpus-manifest.jsonl"), help="the corpus before")
    parser.add_argument("--diff", action="store_true", help="print the patch")
    parser.add_argument("--fix", action="store_true", help="apply the patch, then check again")
    parser.add_argument("--update-manifest", action="store_true", help=KEEP)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(args: argparse.Namespace) -> int:
    """Check; 0 when nothing is left to do, 2 otherwise."""
    paths = args.golden or [Path("data/golden")]
    with Reading() as reading:
        view = reading.of(_view, args.corpus, args.manifest)
        located = reading.of(_located, paths)
    findings, patches = _check(located, view)
    if args.diff:
        print("".join(_unified(file, old, new) for file, (old, new) in patches.items()), end="")
    if args.fix and patches:
        for file, (_, new) in patches.items():
            write_text(Path(file), new)
        located = _located(paths)
        left, _ = _check(located, view)
        print(f"{len(findings) - len(left)} of {len(findings)} findings fixed in {', '.join(patches)}", file=sys.stderr)
        findings = left
    return _conclude(args, located, findings, view)


def _view(corpus: Path, manifest: Path) -> CorpusView:
    before = read_manifest(manifest)
    if corpus.suffix == ".jsonl" and corpus.is_file() and '"digest":' in read_text(corpus).partition("\n")[0]:
        return view_manifest(read_manifest(corpus), before)
    return view_chunks(read_corpus(corpus), before)


def _located(paths: Sequence[Path]) -> list[LocatedCase]:
    located, problems = located_golden(paths)
    problems += [*build_cases(located)[1], *duplicate_queries(located)]
    if problems:
        raise InputError(problems)
    return located


def _check(located: Sequence[LocatedCase], view: CorpusView) -> tuple[list[Finding], dict[str, tuple[str, str]]]:
    """Return what is wrong with the cases, and the text before and after of each file that can be patched."""
    findings: list[Finding] = []
    patches: dict[str, tuple[str, str]] = {}
    for file, found in _by_file(check_corpus(located, view)).items():
        old = read_exact(Path(file))
        new, told = _patched(old, found)
        findings += told
        patches |= {file: (old, new)} if new != old else {}
    return findings, patches


def _by_file(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    files: dict[str, list[Finding]] = {}
    for finding in findings:
        files.setdefault(finding.problem.file, []).append(finding)
    return files


def _patched(text: str, findings: Sequence[Finding]) -> tuple[str, list[Finding]]:
    """Return the text after every patch that can be made, and the findings; those left to a person say why."""
    patches = _patches([edit for finding in findings for edit in finding.edits])
    new, left = patch_golden(text, patches)
    shared = [edit for index in left for edit in patches[index]]
    return new, [_left(one) if any(edit in shared for edit in one.edits) else one for one in findings]


def _patches(edits: Sequence[GoldenEdit]) -> list[list[GoldenEdit]]:
    """Return the edits that are made together or not at all.

    A field of a label is changed by itself; but where labels of a list come or go, one takes the place and the grade
    that another leaves.
    """
    moving = {_list_of(edit) for edit in edits if len(edit.location) == len(_list_of(edit)[1]) + 1}
    patches: dict[tuple[str, Location], list[GoldenEdit]] = {}
    for edit in edits:
        labels = _list_of(edit)
        label = (edit.case_id, edit.location[: len(labels[1]) + 1])
        patches.setdefault(labels if labels in moving else label, []).append(edit)
    return list(patches.values())


def _list_of(edit: GoldenEdit) -> tuple[str, Location]:
    depth = next(depth for depth, part in enumerate(edit.location) if isinstance(part, int))
    return edit.case_id, edit.location[:depth]


def _left(finding: Finding) -> Finding:
    what = f"{finding.problem.message}; --fix leaves it, since {SHARED}"
    return replace(finding, problem=finding.problem._replace(message=what, remedy=BY_HAND), edits=())


def _unified(file: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(list(io.StringIO(old)), list(io.StringIO(new)), f"a/{file}", f"b/{file}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _conclude(
    args: argparse.Namespace, located: Sequence[LocatedCase], findings: Sequence[Finding], view: CorpusView
) -> int:
    if args.update_manifest:
        findings = [finding for finding in findings if finding.code != "section_rewritten"]
    if args.json:
        told = [
            {"code": finding.code, **finding.problem._asdict(), "patched": bool(finding.edits)} for finding in findings
        ]
        print(dump_json({"cases": len(located), "findings": told}), end="")
    elif findings:
        print(problem_lines([finding.problem for finding in findings]), file=sys.stderr)
    if findings:
        return BAD_INPUT
    if args.update_manifest:
        write_json_lines(args.manifest, view.entries)
        print(f"{len(view.entries)} sections kept in {args.manifest}", file=sys.stderr)
    print(f"{len(located)} cases, nothing to do", file=sys.stderr)
    return 0
