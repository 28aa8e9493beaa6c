"""A reranker of three rules, the same for every query, so that each change of place can be explained.

Rank r of a window of w starts from 1 - (r - 1) / w. Each rule then adds up to its bonus:

* heading: the share of the words of title and section which the query holds;
* identifier: the share of the query's identifiers (metric names, error codes, class names) found as written;
* intent: 1 if the query asks for a part of a runbook (causes, fixes, metrics, ...) and the section is that part.

Candidates below the window keep their order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from stages.core.analyser import analyse
from stages.core.query_intent import intents
from stages.records.params.rerank import RerankParams
from stages.records.recording import Candidate

SCORE_DIGITS: Final = 6
# A Latin word with a digit, an inner capital, or an inner _ . : - is a name and not prose; so is one of capitals.
_NAME: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z]+[0-9][A-Za-z0-9]*|[A-Za-z0-9]+(?:[_.:-][A-Za-z0-9]+)+|[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{3,})"
)


@dataclass(frozen=True)
class Reranked:
    """A candidate with its rank before, its score after, and the value (0 to 1) of each rule that spoke for it."""

    candidate: Candidate
    rank_before: int
    score: float
    rules: dict[str, float]


def rule_rerank(query: str, candidates: Sequence[Candidate], params: RerankParams) -> list[Reranked]:
    """Candidates (in rank order) by score descending, then by chunk id."""
    words = frozenset(analyse(query))
    names = frozenset(name.lower() for name in _NAME.findall(query))
    wanted = intents(query)
    scored = []
    for rank, candidate in enumerate(candidates, 1):
        rules = _rules(candidate, words, names, wanted) if rank <= params.window else {}
        bonus = sum(getattr(params, rule) * value for rule, value in sorted(rules.items()))
        score = round(1 - (rank - 1) / params.window + bonus, SCORE_DIGITS) + 0.0
        scored.append(Reranked(candidate, rank, score, rules))
    return sorted(scored, key=lambda item: (-item.score, item.candidate.chunk_id or ""))


def _rules(
    candidate: Candidate, words: frozenset[str], names: frozenset[str], wanted: frozenset[str]
) -> dict[str, float]:
    heading = _heading_terms(candidate.title or "", candidate.section or "")
    text = "\n".join(filter(None, (candidate.title, candidate.section, candidate.content))).lower()
    values = {
        "heading": len(heading & words) / len(heading) if heading else 0.0,
        "identifier": sum(name in text for name in names) / len(names) if names else 0.0,
        "intent": float(bool(wanted & intents(candidate.section or ""))),
    }
    return {rule: round(value, SCORE_DIGITS) for rule, value in values.items() if value}


@lru_cache(maxsize=8192)
def _heading_terms(title: str, section: str) -> frozenset[str]:
    """Headings come back for every query; analysing them is most of the work."""
    return frozenset(analyse(f"{title}\n{section}"))
