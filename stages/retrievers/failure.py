"""An engine or a service that could not answer: a state to report, not an error of the user."""


class EngineFailure(Exception):  # noqa: N818 (the word of the reports)
    """What went wrong with an engine, so that the others' results stay intact.

    Attributes:
        code: A short reason code such as `connection_refused`; reports group by it.
        reason: The reason in a sentence, without a secret and without a path of this machine.
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.reason = reason
        super().__init__(f"{reason} [{code}]")
