"""A folder of TREC files (`qrels.txt`, `run.txt`, `queries.tsv`), in and out."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from stages.records.golden import GoldenCase
from stages.records.imported import Imported, ImportedCase
from stages.records.problem import InputError, Problem
from stages.records.recording import Candidate, Recording
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.collect import collect_cases
from stages.storage.formats.judged_cases import Grain, grades_of, judged_case, note_losses, section_key
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.leftovers import refuse_leftovers
from stages.storage.formats.rows import Row
from stages.storage.text_file import read_text, write_text
from stages.storage.trec.blocks import read_blocks
from stages.storage.trec.columns import Tally
from stages.storage.trec.judgment_file import read_judgments
from stages.storage.trec.whole_run import read_run

BOM = "\ufeff"
QRELS, RUN, QUERIES = "qrels.txt", "run.txt", "queries.tsv"
ESCAPED = {ord(character): f"%{ord(character):02X}" for character in "% \t\n\r\x0b\x0c"}


def read_trec(path: Path, corpus: CorpusLookup, scenario: str = "chat_lookup") -> Imported:
    """Read cases from judgments, and recordings from a run that stands beside them.

    `path` is a folder with `qrels.txt`, and where there are any `run.txt` and `queries.tsv` (id, tab, text); or the
    judgment file alone. A query without a text is asked by its id. Rankings are in trec_eval's order, and
    as deep as the longest of the run: a shorter one is an answer, and no ranking that was cut. The unit of `rows_in` is
    a judged query.

    Raises:
        InputError: A file with faults, all of them at once.
    """
    folder, qrels = (path, path / QRELS) if path.is_dir() else (path.parent, path)
    judgments = read_judgments(qrels, Tally())
    asked = path.is_dir() and (folder / QUERIES).exists()
    texts = _read_queries(folder / QUERIES) if asked else {}
    run = read_run(folder / RUN) if path.is_dir() and (folder / RUN).exists() else {}
    depth = max(map(len, run.values()), default=0)
    ids = CaseIds()
    lines = _first_lines(qrels)
    rows = [Row(str(qrels), number, lines[query], query.decode()) for number, query in enumerate(sorted(judgments), 1)]

    def convert(row: Row) -> ImportedCase:
        grades = {_named(key, corpus): grade for key, grade in judgments[row.value.encode()].items()}
        return ImportedCase(scenario, judged_case(row, texts.get(row.value, row.value), grades, corpus, ids))

    found = collect_cases(rows, convert, ids.remarks)
    kept = {item.case.id: item.case for item in found.cases}
    recordings = [
        _recording(kept[case_id], run[query.encode()], corpus, depth)
        for query, case_id in ids.claimed()
        if case_id in kept and query.encode() in run
    ]
    if asked:
        ids.remarks += _texts_and_judgments(folder / QUERIES, texts, rows)
    remarks = (*ids.remarks, *(_unjudged(folder / RUN, query) for query in sorted(run.keys() - judgments.keys())))
    return Imported(found.rows_in, found.rows_used, found.cases, tuple(recordings), (), found.refused, remarks)


def write_trec(
    folder: Path, cases: Sequence[ImportedCase], recordings: Mapping[str, Recording], grain: Grain
) -> list[str]:
    """Write judgments, queries, and the run if there are recordings; return what was lost, one sentence each.

    Ids are parted by white space in TREC files, so white space and `%` in them become `%20` and the like. A key that
    stands twice in a ranking is written at its best rank. Scores that do not fall from rank to rank are replaced by
    ones that do, since every tool sorts by score. Queries are texts here; a structured one is to be put into words
    before.

    Raises:
        InputError: No recordings, and a run stands there, which would be read as that of the new judgments.
    """
    if not recordings:
        refuse_leftovers([folder / RUN])
    lost: list[str] = []
    note_losses(cases, lost)
    judged = {item.case.id: grades_of(item.case, grain, lost) for item in cases}
    lost += [f"case {case_id}: nothing to judge; the case is left out" for case_id in judged if not judged[case_id]]
    rows = [
        f"{case_id} 0 {_escaped(key)} {grade}\n"
        for case_id, grades in sorted(judged.items())
        for key, grade in sorted(grades.items())
    ]
    write_text(folder / QRELS, "".join(rows))
    texts = sorted((item.case.id, str(item.case.query)) for item in cases)
    write_text(folder / QUERIES, "".join(f"{case_id}\t{' '.join(text.split())}\n" for case_id, text in texts))
    if recordings:
        lines = [line for case_id, kept in sorted(recordings.items()) for line in _run_rows(case_id, kept, grain, lost)]
        write_text(folder / RUN, "".join(lines))
    return lost


def _read_queries(path: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    problems = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        name, _, text = (part.strip() for part in line.partition("\t"))
        if not line.strip():
            continue
        if not name or not text or BOM in line:
            what = f"the line {line[:60]!r} is no id and text, parted by a tab"
            problems.append(Problem(str(path), number, 0, "", what, "Write the id, a tab and the text"))
        elif name in texts:
            what = f"query {name!r} has a text already"
            problems.append(Problem(str(path), number, 0, "", what, "Remove one of the lines"))
        texts.setdefault(name, text)
    if problems:
        raise InputError(problems)
    return texts


def _texts_and_judgments(path: Path, texts: Mapping[str, str], rows: Sequence[Row]) -> list[Problem]:
    """Say which of the two has no other."""
    judged = [row.value for row in rows]
    what = f"{path.name} has no text for the query; it is asked by its id"
    remarks = [row.problem(row.value, what, "Add its text") for row in rows if row.value not in texts]
    if unjudged := len(texts.keys() - set(judged)):
        what = f"queries without a judgment: {unjudged}"
        remarks.append(Problem(str(path), 0, 0, "", what, "They are left out"))
    return remarks


def _first_lines(path: Path) -> dict[bytes, int]:
    """The line on which each query stands first."""
    lines = (line for block in read_blocks(path) for line in block.removesuffix(b"\n").split(b"\n"))
    found: dict[bytes, int] = {}
    for number, line in enumerate(lines, 1):
        found.setdefault(line.split(None, 1)[0], number)
    return found


def _recording(case: GoldenCase, scores: dict[bytes, float], corpus: CorpusLookup, depth: int) -> Recording:
    ranked = sorted(((score, key) for key, score in scores.items()), reverse=True)
    candidates = [_candidate(rank, _named(key, corpus), score, corpus) for rank, (score, key) in enumerate(ranked, 1)]
    return Recording(case_id=case.id, query=str(case.query), top_k=depth, candidates=tuple(candidates))


def _candidate(rank: int, key: str, score: float, corpus: CorpusLookup) -> Candidate:
    chunk = corpus.chunk(key)
    finite = score if abs(score) != float("inf") else None
    if chunk is None:
        return Candidate(rank=rank, doc_id=key, title=key, score=finite)
    return Candidate(
        rank=rank,
        doc_id=chunk.doc_id,
        title=chunk.title or chunk.doc_id,
        section=chunk.section,
        breadcrumb=chunk.breadcrumb,
        chunk_id=chunk.chunk_id,
        content=chunk.content,
        score=finite,
    )


def _unjudged(path: Path, query: bytes) -> Problem:
    what = f"query {query.decode()!r} has no judgments; its ranking is left out"
    return Problem(str(path), 0, 0, "", what, "Nothing need be done")


def _run_rows(case_id: str, recording: Recording, grain: Grain, lost: list[str]) -> Iterable[str]:
    best: dict[str, Candidate] = {}
    for candidate in recording.candidates:
        key = _key(candidate, grain)
        if key is None:
            lost.append(f"case {case_id}: the candidate at rank {candidate.rank} has no {grain} id; it is left out")
        else:
            best.setdefault(key, candidate)
    if len(best) < sum(_key(candidate, grain) is not None for candidate in recording.candidates):
        lost.append(f"case {case_id}: candidates that repeat a {grain} are left out")
    scores = [candidate.score for candidate in best.values() if candidate.score is not None]
    falling = len(scores) == len(best) and all(one > other for one, other in pairwise(scores))
    if not falling:
        lost.append(f"case {case_id}: the scores do not fall from rank to rank; others stand in for them")
    for rank, key in enumerate(best, 1):
        score = scores[rank - 1] if falling else len(best) - rank + 1
        yield f"{case_id} Q0 {_escaped(key)} {rank} {score!r} retrieval-eval\n"


def _key(candidate: Candidate, grain: Grain) -> str | None:
    if grain == "chunk" or candidate.doc_id is None:
        return candidate.chunk_id if grain == "chunk" else None
    return section_key(candidate.doc_id, candidate.section) if grain == "section" else candidate.doc_id


def _escaped(identifier: str) -> str:
    return identifier.translate(ESCAPED)


def _named(key: bytes, corpus: CorpusLookup) -> str:
    """The id as the corpus has it; only where the corpus tells is `%20` a blank, since foreign ids may be addresses."""
    plain = unquote(key.decode())
    return plain if corpus.chunk(plain) else key.decode()
