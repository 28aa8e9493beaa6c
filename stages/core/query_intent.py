"""Which part of a runbook a text is about: causes, fixes, metrics, diagnosis, prevention."""

import re
from typing import Final

# Both sides are read by the same table: what a question asks for, and what a heading promises.
_PATTERNS: Final = {
    "cause": r"原因|为什么|为何|怎么会|根因|\bwhy\b|\bcauses?\b|원인|왜",
    "fix": r"修复|怎么办|处理|处置|解决|恢复|止血|应急|缓解|\bfix|\bmitigat|\bresolv|\brecover|조치|해결|복구",
    "metric": r"指标|监控|看哪些|阈值|\bmetrics?\b|\bthresholds?\b|\bdashboards?\b|지표",
    "diagnosis": r"排查|诊断|定位|检查|确认|\bdiagnos|\binvestigat|\btroubleshoot|\bcheck\b|확인|진단|점검",
    "prevention": r"预防|避免|防止|\bprevent|\bavoid\b|예방|방지",
    "meaning": r"含义|什么意思|是什么|\bmean(?:s|ing)?\b|의미|뜻",
}
_COMPILED: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}


def intents(text: str) -> frozenset[str]:
    """The names of all parts that the text speaks of."""
    return frozenset(name for name, pattern in _COMPILED.items() if pattern.search(text))
