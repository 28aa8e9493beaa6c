"""What befell many cases at once is told once."""

from stages.core.shared_causes import shared_causes


def test_a_cause_of_more_than_three_cases_is_shared_and_the_most_frequent_comes_first():
    causes = dict.fromkeys("dcba", "down") | dict.fromkeys("efg", "stale") | dict.fromkeys("hijkl", "refused")
    assert shared_causes(causes) == {"refused": ("h", "i", "j", "k", "l"), "down": ("a", "b", "c", "d")}


def test_no_cause_is_shared_by_nobody():
    assert shared_causes(dict.fromkeys("abcde", "")) == {}
