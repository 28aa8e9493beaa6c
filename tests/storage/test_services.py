"""services.yaml: presets, and every fault at once with its place."""

from pathlib import Path

import pytest

from stages.core.request_template import fill
from stages.records.problem import InputError
from stages.storage.presets import preset_text, read_presets
from stages.storage.services import read_services

HERE = Path(__file__).parent


def read(tmp_path, text):
    file = tmp_path / "services.yaml"
    file.write_text(text, "utf-8")
    return read_services(file).services


def test_all_faults_are_told_at_once_with_their_places(monkeypatch):
    monkeypatch.chdir(HERE)
    with pytest.raises(InputError) as caught:
        read_services(Path("bad_services.yaml"))
    assert f"{caught.value}\n" == (HERE / "bad_services.txt").read_text("utf-8")


def test_the_file_in_the_root_describes_all_paths_and_switches_them_off():
    services = read_services(HERE.parents[1] / "services.yaml").services
    assert {name: service.enabled for name, service in services.items()} == dict.fromkeys(
        ("current", "sidecar", "live"), False
    )


def test_what_stands_beside_a_preset_wins_key_by_key(tmp_path):
    text = """
services:
  current:
    preset: dify
    request:
      url: ${DIFY}/v1/datasets/d1/retrieve
      headers: {Authorization: "Bearer ${DIFY_KEY}"}
    answer:
      fields: {title: segment.document.doc_metadata.title, category: null}
"""
    service = read(tmp_path, text)["current"]
    assert service.request.max_query_chars == 250
    assert service.request.body["query"] == "{{query}}"
    assert service.answer.fields.title == "segment.document.doc_metadata.title"
    assert service.answer.fields.category is None
    assert service.answer.fields.chunk_id == "segment.id"


def test_a_body_replaces_the_presets_body_whole(tmp_path):
    text = """
services:
  current:
    preset: elasticsearch
    request: {url: "http://x/", body: {query: {multi_match: {query: "{{query}}"}}}}
"""
    assert read(tmp_path, text)["current"].request.body == {"query": {"multi_match": {"query": "{{query}}"}}}


@pytest.mark.parametrize("name", list(read_presets()))
def test_each_preset_is_a_service_once_it_has_an_address_and_prints_as_itself(tmp_path, name):
    service = read(tmp_path, f"services:\n  live:\n    preset: {name}\n    request:\n      url: http://x/\n")["live"]
    lines = preset_text(name).splitlines()
    after_about = lines[lines.index("  request:") + 1 :]
    copied = ["services:", " live:", "  request:", "    url: http://x/", *after_about]
    assert read(tmp_path, "\n".join(copied))["live"] == service


@pytest.mark.parametrize("text", ["", "[]", "services: []", "services:\n  live: 5\n", "services:\n  live:\n"])
def test_a_file_of_another_shape_is_refused(tmp_path, text):
    with pytest.raises(InputError):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("bands", "better", "words"),
    [
        ("[{label: a, limit: 0.2}, {label: b, limit: 0.8}]", "higher", "bands stand from the best to the worst"),
        ("[{label: a, limit: 0.8}, {label: b, limit: 0.2}]", "lower", "bands stand from the best to the worst"),
        ("[{label: a}, {label: b, limit: 0.2}]", "higher", "only the last band may have no limit"),
        ("[{label: a, limit: .nan}]", "higher", "bands[1].limit is .nan, which is not finite"),
    ],
)
def test_bands_out_of_order_are_refused(tmp_path, bands, better, words):
    score = f"    score: {{kind: x, better: {better}, bands: {bands}}}\n"
    with pytest.raises(InputError) as caught:
        read(tmp_path, "services:\n  live:\n    preset: dify\n    request:\n      url: http://x/\n" + score)
    assert words in str(caught.value)


def faults(tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    Path("services.yaml").write_text(f"services:\n  live:\n    preset: dify\n    request:\n{request}", "utf-8")
    with pytest.raises(InputError) as caught:
        read_services(Path("services.yaml"))
    return str(caught.value).splitlines()


def test_a_plain_secret_is_told_beside_a_header_of_a_wrong_type_and_each_at_its_place(tmp_path, monkeypatch):
    request = """\
      url: http://h/?api_key=hunter22
      headers:
        X-Count: 5
        Authorization: Bearer hunter22
      body:
        auth:
          - {api_key: hunter22}
"""
    remedy = "Write ${NAME} and set the variable NAME when you capture."
    plain = f"holds a secret in plain text; name an environment variable. {remedy}"
    assert faults(tmp_path, monkeypatch, request) == [
        f"services.yaml:5:7: services.live.request.url: its parameter api_key {plain}",
        'services.yaml:7:9: services.live.request.headers.X-Count is 5, which is no text. Put it in quotes: "5".',
        f"services.yaml:8:9: services.live.request.headers.Authorization {plain}",
        f"services.yaml:11:14: services.live.request.body.auth[1].api_key {plain}",
    ]


def test_a_broken_placeholder_is_refused_with_the_way_to_write_it_and_the_way_to_mean_it(tmp_path, monkeypatch):
    request = """\
      url: http://h/${}
      headers: {X: "a${A", Y: "${A} ${a-b} ${1}", Z: "${A}$ {x} {{query}}"}
"""
    remedy = (
        "Write ${NAME}, of letters, digits and _; for a literal ${ set a variable DOLLAR to $ and write ${DOLLAR}{."
    )
    where = "services.live.request"
    assert faults(tmp_path, monkeypatch, request) == [
        f"services.yaml:5:7: {where}.url holds '${{}}', which is no placeholder. {remedy}",
        f"services.yaml:6:17: {where}.headers.X holds '${{A', which is no placeholder. {remedy}",
        f"services.yaml:6:28: {where}.headers.Y holds '${{1}}', which is no placeholder. {remedy}",
        f"services.yaml:6:28: {where}.headers.Y holds '${{a-b}}', which is no placeholder. {remedy}",
    ]


def test_a_literal_dollar_brace_is_sent_as_the_remedy_says():
    assert fill("${DOLLAR}{A}", {}, {"DOLLAR": "$", "A": "x"}) == "${A}"
