"""Any corpus, edited at random: what was renamed, moved, split or merged is followed until the check is clean."""

from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.case_building import build_cases
from stages.core.corpus_check import check_corpus
from stages.core.corpus_manifest import corpus_manifest
from stages.core.corpus_view import view_chunks
from stages.records.chunk import Chunk
from stages.records.golden import GoldenCase
from stages.storage.golden import read_golden
from stages.storage.golden_editor import edit_golden
from stages.storage.golden_writer import dump_golden

Corpus = dict[tuple[str, str], list[str]]


def sentences(document, section):
    return [f"{document} 的 {section} 的第 {number} 句话。" for number in range(6)]


@st.composite
def corpora(draw):
    """Two to four documents with two to four sections of six sentences that stand nowhere else."""
    return {
        (f"doc{d}", f"节{d}{s}"): sentences(f"doc{d}", f"节{d}{s}")
        for d in range(draw(st.integers(2, 4)))
        for s in range(draw(st.integers(2, 4)))
    }


def chunks(corpus):
    return [
        Chunk(
            chunk_id=f"{document}#{section}",
            doc_id=document,
            title=f"标题 {document}",
            section=section,
            breadcrumb=("根", section),
            content="\n".join(text),
        )
        for (document, section), text in corpus.items()
    ]


def rename_document(draw, corpus: Corpus) -> Corpus:
    old = draw(st.sampled_from(sorted({document for document, _ in corpus})))
    return {(f"{old}x" if document == old else document, section): text for (document, section), text in corpus.items()}


def rename_section(draw, corpus: Corpus) -> Corpus:
    old = draw(st.sampled_from(sorted(corpus)))
    return {((old[0], f"新{old[1]}") if place == old else place): text for place, text in corpus.items()}


def move_section(draw, corpus: Corpus) -> Corpus:
    old = draw(st.sampled_from(sorted(corpus)))
    target = draw(st.sampled_from(sorted({document for document, _ in corpus})))
    return {((target, old[1]) if place == old else place): text for place, text in corpus.items()}


def split_section(draw, corpus: Corpus) -> Corpus:
    old = draw(st.sampled_from(sorted(corpus)))
    text = corpus[old]
    cut = draw(st.integers(2, 4)) if len(text) == 6 else len(text) // 2
    rest = {place: found for place, found in corpus.items() if place != old}
    return {**rest, (old[0], f"{old[1]}上"): text[:cut], (old[0], f"{old[1]}下"): text[cut:]}


def merge_sections(draw, corpus: Corpus) -> Corpus:
    first, second = draw(st.lists(st.sampled_from(sorted(corpus)), min_size=2, max_size=2, unique=True))
    rest = {place: text for place, text in corpus.items() if place not in {first, second}}
    return {**rest, (first[0], f"{first[1]}合"): corpus[first] + corpus[second]}


EDITS = (rename_document, rename_section, move_section, split_section, merge_sections)


@settings(max_examples=150, deadline=None)
@given(st.data(), corpora())
def test_after_the_patch_nothing_is_left_to_do(tmp_path_factory, data, corpus):
    labels = data.draw(st.lists(st.sampled_from(sorted(corpus)), min_size=1, max_size=4, unique=True))
    grades = data.draw(st.lists(st.integers(0, 3), min_size=len(labels), max_size=len(labels)))
    documents = [
        {"doc_id": place[0], "section": place[1], "relevance": grade}
        for place, grade in zip(labels, [3, *grades[1:]], strict=True)
    ]
    evidence = {"keywords": [corpus[labels[0]][0]], "breadcrumbs": [["根", labels[0][1]]]}
    case = {"id": "a", "query": "q", "expected": {"documents": documents, "evidence": evidence}}
    path = tmp_path_factory.mktemp("golden") / "a.yaml"
    path.write_text(dump_golden("s", [GoldenCase.model_validate(case)]), encoding="utf-8", newline="\n")
    before = corpus_manifest(chunks(corpus))
    assert check_corpus(read_golden([path]), view_chunks(chunks(corpus), before)) == []

    edits = data.draw(st.lists(st.sampled_from(EDITS), min_size=1, max_size=2))
    after = corpus
    for edit in edits:
        after = edit(data.draw, after)
    view = view_chunks(chunks(after), before)
    findings = check_corpus(read_golden([path]), view)
    text = edit_golden(path.read_text(encoding="utf-8"), [edit for finding in findings for edit in finding.edits])
    path.write_text(text, encoding="utf-8", newline="\n")
    located = read_golden([path])
    assert check_corpus(located, view) == []
    assert build_cases(located)[1] == []
    best = max(label.relevance for label in located[0].case.expected.documents)
    assert best == 3
