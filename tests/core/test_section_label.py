"""What a reader knows sections by."""

import pytest

from stages.core.section_label import shared_labels


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ((), ""),
        (("mq#原因",), "mq#原因"),
        (("mq#原因", "mq#修复", "db#指标"), "mq#原因, #修复; db#指标"),
        (("mq#原因", "db#指标", "mq#修复"), "mq#原因; db#指标; mq#修复"),
        (("mq", "mq#修复", "db"), "mq, #修复; db"),
    ],
)
def test_a_document_is_named_once_for_sections_in_a_row(labels, text):
    assert shared_labels(labels) == text
