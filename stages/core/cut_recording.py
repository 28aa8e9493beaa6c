"""A recording cut at a depth."""

from stages.records.recording import Recording


def cut_recording(recording: Recording, depth: int) -> Recording:
    """The recording as if only `depth` candidates had been asked for; origins follow their candidates."""
    provenance = dict(recording.provenance)
    if "origins" in provenance:
        provenance["origins"] = provenance["origins"][:depth]
    update = {"top_k": depth, "candidates": recording.candidates[:depth], "provenance": provenance}
    return recording.model_copy(update=update)
