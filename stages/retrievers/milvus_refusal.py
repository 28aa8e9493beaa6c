"""Why a server that takes connections cannot be used as Milvus: the client tells it in one sentence for all cases."""

import base64

from stages.retrievers.failure import EngineFailure

VERSION_CALL = "/milvus.proto.milvus.MilvusService/GetVersion"


def refusal(uri: str, place: str, token: str, timeout_s: float) -> EngineFailure:
    """Ask for the version without the client, and return what the answer means.

    `place` is `host:port`, as it may be shown.
    """
    status = _version_status(uri, place, token, timeout_s)
    if status in {"UNAUTHENTICATED", "PERMISSION_DENIED"}:
        return EngineFailure("unauthorized", f"Milvus at {place} refused the token")
    if status == "DEADLINE_EXCEEDED":
        return EngineFailure("timeout", f"{place} accepts connections but did not answer within {timeout_s:g} s")
    return EngineFailure("not_milvus", f"{place} accepts connections but does not answer as Milvus ({status.lower()})")


def _version_status(uri: str, place: str, token: str, timeout_s: float) -> str:
    import grpc

    secure = uri.startswith("https:")
    channel = grpc.secure_channel(place, grpc.ssl_channel_credentials()) if secure else grpc.insecure_channel(place)
    with channel:
        call = channel.unary_unary(VERSION_CALL, request_serializer=None, response_deserializer=None)
        try:
            call(b"", timeout=timeout_s, metadata=(("authorization", base64.b64encode(token.encode()).decode()),))
        except grpc.RpcError as error:
            return str(error.code().name)
    return "OK"
