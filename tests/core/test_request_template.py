"""Placeholders anywhere in a request."""

from stages.core.request_template import environment_names, fill, fill_header, fill_url

VALUES = {"query": 'a ${NAME} {{topK}} "x"\n/', "topK": 5, "vector": [0.1, 0.2]}
ENVIRONMENT = {"NAME": "{{query}} secret", "B": "b"}


def test_a_placeholder_alone_becomes_the_value_itself():
    template = {"q": "{{query}}", "k": "{{topK}}", "data": ["{{vector}}"], "keep": [1, None, True, "x"]}
    assert fill(template, VALUES, {}) == {
        "q": VALUES["query"],
        "k": 5,
        "data": [[0.1, 0.2]],
        "keep": [1, None, True, "x"],
    }


def test_inside_a_text_it_is_written_out():
    assert fill("top {{topK}} of ${B}", VALUES, ENVIRONMENT) == "top 5 of b"


def test_what_was_filled_in_is_not_filled_again():
    assert fill(["{{query}}", "${NAME}"], VALUES, ENVIRONMENT) == [VALUES["query"], "{{query}} secret"]


def test_unknown_placeholders_and_keys_are_left_alone():
    assert fill({"{{query}}": "{{nosuch}} {{ query }} {query} $NAME"}, VALUES, {}) == {
        "{{query}}": "{{nosuch}} {{ query }} {query} $NAME"
    }


def test_an_address_and_a_header_take_the_query_percent_encoded_and_the_environment_as_it_is():
    assert fill_url("${B}/s?q={{query}}", VALUES, {"B": "http://h/x?y"}) == (
        "http://h/x?y/s?q=a%20%24%7BNAME%7D%20%7B%7BtopK%7D%7D%20%22x%22%0A%2F"
    )
    assert fill_header("{{query}}", {"query": "订单\r\nX: y"}, {}) == "%E8%AE%A2%E5%8D%95%0D%0AX%3A%20y"


def test_names_are_found_everywhere():
    template = {
        "url": "${A}/x",
        "headers": {"k": "Bearer ${B_1}"},
        "body": [{"x": ["${C}", 1, None]}],
        "tuple": ("${D}",),
    }
    assert environment_names(template) == {"A", "B_1", "C", "D"}
