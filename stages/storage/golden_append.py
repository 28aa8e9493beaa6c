"""A new case at the end of a golden file, which stays as it is."""

from pathlib import Path

from stages.records.golden import GoldenCase
from stages.records.problem import InputError, Problem
from stages.storage.exact_text import line_break, read_exact
from stages.storage.golden_writer import dump_case, new_golden
from stages.storage.yaml_file import parse_yaml


def appended(path: Path, scenario: str, case: GoldenCase) -> str:
    """Return the text of the file with the case at its end; a file that does not exist is begun.

    Raises:
        InputError: the file is of another scenario, or its cases are not the last thing in it.
    """
    if not path.exists():
        return new_golden(path, scenario, [case])
    text = read_exact(path)
    document = parse_yaml(text, str(path))
    if document.data.get("scenario") != scenario:
        what = f"the file is of the scenario {document.data.get('scenario')!r}, the case of {scenario!r}"
        raise InputError([Problem(str(path), 1, 0, case.id, what, "Give another --file, or --scenario")])
    # The column of a case is that of its first key: two more than that of its dash.
    indent = " " * (document.place(("cases", 0))[1] - 3)
    lines = [line.removeprefix("  ") for line in dump_case(case).splitlines()]
    end = line_break(text)
    longer = text.rstrip("\r\n") + end + "".join(f"{indent}{line}{end}" for line in lines)
    cases = parse_yaml(longer, str(path)).data.get("cases")
    if [one["id"] for one in cases] != [*(one["id"] for one in document.data["cases"]), case.id]:
        raise InputError([Problem(str(path), 0, 0, case.id, "the cases do not end the file", "Give another --file")])
    return longer
