"""Messages of a front end to comms, between two cells."""

from __future__ import annotations

from binascii import a2b_base64

from ..cells import interrupt
from .hooks import manager
from .publishing import publish

interrupt.guard(__file__)


@interrupt.calls_user_code
def deliver(message: dict, header: dict) -> None:
    """Hand one to its comm or its target. Front ends keep comms of kernels that are gone, so an unknown one is no error."""
    kind, content = message["type"], message["content"]
    found = manager()
    if kind == "comm_open":
        is_known = found is not None and content["target_name"] in found.targets
        if found is not None and content["comm_id"] in found.comms:
            return  # another client has opened it
        if not is_known:
            publish("comm_close", {"comm_id": content["comm_id"]})
            return
    elif found is None or content["comm_id"] not in found.comms:
        return
    getattr(found, kind)(None, None, {
        "header": header,
        "msg_id": header.get("msg_id"),
        "msg_type": kind,
        "parent_header": {},
        "metadata": message.get("metadata", {}),
        "content": content,
        "buffers": [memoryview(a2b_base64(buffer)) for buffer in message.get("buffers", ())],
    })


def listing() -> dict:
    """The open comms with their targets, for another thread than the one that opens them."""
    found = manager()
    if found is None:
        return {}
    return {str(id): str(comm.target_name) for id, comm in list(found.comms.items())}
