"""`audit` as a program, on a project of two cases."""

import json

import pytest


@pytest.mark.usefixtures("small_project")
def test_the_report_and_the_required_share(cli):
    done = cli("audit", "--require", "0.9")
    assert done.returncode == 1
    assert (
        done.stderr == "0.3636 of the mutants killed, 0.9 required; blind: G, flood_duplicates, shift_ranks, truncate\n"
    )
    assert done.stdout.startswith(
        "# Audit of the golden set\n\n"
        "**36.4 % of 11 mutants are noticed** by the gate over the recordings of `fixture`. "
        "Blind fault types: `G`. Blind kinds of damage: `flood_duplicates`, `shift_ranks`, `truncate`.\n"
    )
    assert cli("audit", "--json").stdout == cli("audit", "--json").stdout
    report = json.loads(cli("audit", "--json").stdout)
    assert (report["mutants"], report["killed"], report["killed_share"]) == (11, 4, 0.363636)
    assert report["by_damage"]["drop_first"] == {"mutants": 2, "killed": 1, "killed_share": 0.5}


@pytest.mark.usefixtures("small_project")
def test_a_path_that_does_not_exist_is_one_clear_line(cli):
    done = cli("audit", "--path", "live")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        "params.yaml: there is no path 'live'. The paths are fixture.",
    )


def test_a_key_that_is_missing_says_what_it_takes(small_project, cli):
    path = small_project / "params.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("shift: 3", "shift: three"), encoding="utf-8")
    done = cli("audit")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        "params.yaml:17:18: audit.shift is 'three', which is no whole number. audit takes keep, shift and min_cases.",
    )
