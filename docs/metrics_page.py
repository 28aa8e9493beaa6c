"""The glossary of metrics, made from the docstrings of the formulas."""

import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from stages.core.bootstrap import bootstrap_interval
from stages.core.holm import holm
from stages.core.measure_formulas import FORMULAS
from stages.core.measure_plan import AT_TOP_K
from stages.core.paired_tests import sign_test
from stages.core.randomisation_test import randomisation_test
from stages.core.rank_overlap import jaccard, overlap, rank_biased_overlap
from stages.core.resolution import resolution_sentence
from stages.core.tie_sensitivity import extreme_orders
from stages.core.trec_formulas import COUNTS, OTHERS, interpolated_precision, precision_at_multiple, unjudged
from stages.core.trec_measures import WITH_CUT, WITHOUT_CUT
from stages.core.unjudged_bounds import UnjudgedBounds

TEMPLATE = Path(__file__).with_name("metrics.template")


def metrics_page() -> str:
    """Return the glossary."""
    statistics = [sign_test, randomisation_test, bootstrap_interval, holm, resolution_sentence, extreme_orders]
    parts = {
        "glossary": _glossary(),
        "unjudged": _plain(_doc(UnjudgedBounds)),
        "trec": _trec(),
        "overlap": _described([overlap, jaccard, rank_biased_overlap]),
        "statistics": _described(statistics),
        "resolution": resolution_sentence(24),
    }
    text = TEMPLATE.read_text(encoding="utf-8")
    return re.sub("@@([a-z]+)@@", lambda found: parts[found[1]].strip(), text)


def _glossary() -> str:
    twins = {ours: f"{theirs}_k" for theirs, ours in WITH_CUT.items()}
    whole = {ours: theirs for theirs, ours in WITHOUT_CUT.items()}
    reported = {measure: name for name, measure in AT_TOP_K.items()}
    rows = ["| metric | in reports, at topK | trec_eval | in short |\n| --- | --- | --- | --- |\n"]
    for name, formula in FORMULAS.items():
        theirs = ", ".join(f"`{word}`" for word in (twins.get(name), whole.get(name)) if word) or "–"
        ours = f"`{reported[name]}`" if name in reported else "–"
        rows.append(f"| [`{name}`](#{name}) | {ours} | {theirs} | {_doc(formula).splitlines()[0]} |\n")
    return "".join([*rows, *(_measure(name, formula) for name, formula in FORMULAS.items())])


def _measure(name: str, formula: Callable[..., Any]) -> str:
    lines = _doc(formula).splitlines()
    details = [line for line in lines[1:] if line]
    shown = "".join(f"* {_emphasised(line)}\n" for line in _joined(details))
    return f"\n## {name}\n\n{lines[0]}\n\n{shown}"


def _joined(lines: Iterable[str]) -> list[str]:
    """Lines of a docstring, those that go on joined to the one above."""
    joined: list[str] = []
    for line in lines:
        if joined and not re.match(r"[A-Z][\w ,-]+(:|\.)", line):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.strip())
    return joined


def _emphasised(line: str) -> str:
    return re.sub(r"^([A-Z][^:.]{3,40}):", r"*\1:*", line)


def _trec() -> str:
    others = {**COUNTS, **OTHERS, "unj_k": unjudged}
    others |= {"iprec_at_recall_r": interpolated_precision, "Rprec_mult_x": precision_at_multiple}
    rows = (f"| `{name}` | {' '.join(_plain(_doc(function)).split())} |\n" for name, function in others.items())
    return f"| name | meaning |\n| --- | --- |\n{''.join(rows)}"


def _described(functions: Iterable[Callable[..., Any]]) -> str:
    return "\n\n".join(f"**`{function.__name__}`**: {_plain(_doc(function))}" for function in functions)


def _plain(text: str) -> str:
    """A docstring without what is of use to a programmer only."""
    text = re.sub(r"\n(Args|Raises):\n(?:(?:    .*)?\n?)*", "\n", f"{text}\n")
    text = re.sub(r"\nAttributes:\n", "\n", text)
    text = re.sub(r"\n {6,}", " ", text)
    return re.sub(r"^    (\w+): ", r"* *\1*: ", text, flags=re.MULTILINE).strip()


def _doc(item: Any) -> str:
    return inspect.getdoc(item) or ""
