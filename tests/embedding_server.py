"""A tiny embedder behind HTTP for tests: bags of characters, so that equal texts have equal directions."""

from typing import Any

from tests.loopback import Answer

DIMENSIONS = 32


def character_vector(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """Count the characters of `text` into `dimensions` boxes."""
    vector = [0.1] * dimensions
    for character in text:
        vector[ord(character) % dimensions] += 1.0
    return vector


def embeddings(body: Any, _: int = 0) -> Answer:
    """Answer `POST /v1/embeddings`."""
    data = [{"index": index, "embedding": character_vector(text)} for index, text in enumerate(body["input"])]
    return Answer({"data": data})
