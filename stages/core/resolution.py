"""What a set of cases can tell apart from chance, in words."""

from stages.core.paired_tests import sign_test

LEVEL = 0.05


def smallest_telling_loss(level: float = LEVEL) -> int:
    """Fewest pure losses (and no win) whose one-sided sign test falls below `level`; it does not depend on n."""
    losses = 1
    while sign_test(0, losses).p_one_sided >= level:
        losses += 1
    return losses


def resolution_sentence(n: int) -> str:
    """Say which loss a set of `n` paired cases cannot tell from chance, at the one-sided level of 5 %."""
    losses = smallest_telling_loss()
    cases = "1 case" if n == 1 else f"{n} cases"
    if n < losses:
        return f"{cases}: no loss, however complete, can be told from chance; that takes at least {losses} cases"
    return f"{cases}: a pure loss of fewer than {losses} cases cannot be told from chance"
