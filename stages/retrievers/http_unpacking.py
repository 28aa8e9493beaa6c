"""Unpacking gzip and deflate with a limit: httpx unpacks a whole piece, which may be a thousand times as large."""

import zlib

# What is asked for; httpx would ask for more wherever more is installed.
PACKINGS = "gzip, deflate"
GZIP = zlib.MAX_WBITS | 16
RAW = -zlib.MAX_WBITS


class Unpacker:
    """Unpacks one layer, piece by piece, up to a number of bytes in all."""

    def __init__(self, kind: str, most: int) -> None:
        self._gzip = kind == "gzip"
        self._zlib = zlib.decompressobj(GZIP if self._gzip else zlib.MAX_WBITS)
        self._fresh = True
        self.left = most

    def unpack(self, piece: bytes) -> bytes:
        """Return what a piece unpacks to; when `left` is 0 there may be more of it.

        Raises:
            zlib.error: it is not packed this way.
        """
        if not piece or self._zlib.eof or self.left <= 0:
            return b""
        try:
            found = self._zlib.decompress(piece, self.left)
        except zlib.error:
            if self._gzip or not self._fresh:
                raise
            self._zlib = zlib.decompressobj(RAW)  # some servers say deflate and leave out the zlib header
            found = self._zlib.decompress(piece, self.left)
        self._fresh = False
        self.left -= len(found)
        return found


def unpackers_of(encoding: str, most: int) -> list[Unpacker]:
    """Return what undoes a Content-Encoding, the last layer first; names that are no packing are passed over."""
    layers = [layer.strip().lower().removeprefix("x-") for layer in encoding.split(",")]
    return [Unpacker(layer, most) for layer in reversed(layers) if layer in {"gzip", "deflate"}]
