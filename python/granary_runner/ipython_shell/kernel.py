"""`get_ipython().kernel`: the methods that editors and widget libraries call."""

from __future__ import annotations

from ..cells import execute


class Kernel:
    """Answers about code, and knows the comms."""

    implementation = "granary"
    banner = "Granary"

    def __init__(self, shell) -> None:
        self.shell = shell
        self._comm_manager = None
        self.session = MessageSession()
        self.iopub_socket = None  # there is only one way out

    @property
    def comm_manager(self):
        """That of the package `comm`, if it is installed."""
        if self._comm_manager is None:
            self._comm_manager = _comm_manager()
        return self._comm_manager

    def do_complete(self, code: str, cursor_pos: int) -> dict:
        from ..questions.answering import answer

        found = answer({"op": "complete", "code": code, "cursor": cursor_pos})
        start, end = found["start"], found["end"]
        types = [
            {"start": start, "end": end, "text": match, "type": detail["kind"] or "<unknown>", "signature": detail.get("signature", "")}
            for match, detail in zip(found["matches"], found.get("details", ()))
        ]
        return {
            "status": "ok",
            "matches": found["matches"],
            "cursor_start": start,
            "cursor_end": end,
            "metadata": {"_jupyter_types_experimental": types} if types else {},
        }

    def do_inspect(self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections=()) -> dict:
        from ..questions.answering import answer

        data = answer({"op": "inspect", "code": code, "cursor": cursor_pos, "detail": detail_level})
        return {"status": "ok", "found": bool(data), "data": data, "metadata": {}}

    def do_is_complete(self, code: str) -> dict:
        """Whether the code is complete, incomplete, or no Python."""
        from .completeness import completeness

        return completeness(code)

    def do_history(self, hist_access_type, output, raw, session=0, start=1, stop=None, n=None, pattern=None, unique=False) -> dict:
        """Cells of this session."""
        manager = self.shell.history_manager
        if hist_access_type == "tail":
            found = manager.get_tail(n or 10, raw=raw, output=output, include_latest=True)
        elif hist_access_type == "range":
            found = manager.get_range(session, start, stop, raw=raw, output=output)
        else:
            found = manager.search(pattern or "*", raw=raw, output=output, n=n, unique=unique)
        return {"status": "ok", "history": list(found)}

    def get_parent(self, channel=None) -> dict:
        """The message that started this cell. An Output widget needs one, so other cells have one with an id of its own."""
        header = execute.parent_header() or {"msg_id": "granary-cell-%d" % execute.count(), "msg_type": "execute_request"}
        return message_of(header)

    @property
    def execution_count(self) -> int:
        return execute.count()


def message_of(header: dict) -> dict:
    """A message of Jupyter's, without its content."""
    about = {"header": header, "msg_id": header.get("msg_id"), "msg_type": header.get("msg_type")}
    return {**about, "parent_header": {}, "metadata": {}, "content": {}, "buffers": []}


def _comm_manager():
    try:
        from comm import get_comm_manager
    except ImportError:
        return CommManager()
    return get_comm_manager()


class MessageSession:
    """Jupyter's `Session`, for code that publishes its own messages: displays and those of comms arrive, others have no reader."""

    def send(self, stream, msg_or_type, content=None, parent=None, *args, **kwargs) -> None:
        from ..display import clear_output, publish_display_data

        content = content or {}
        if msg_or_type in ("display_data", "update_display_data", "execute_result"):
            update = msg_or_type == "update_display_data"
            publish_display_data(content["data"], content.get("metadata"), transient=content.get("transient"), update=update)
        elif msg_or_type == "clear_output":
            clear_output(content.get("wait", False))
        elif msg_or_type in ("comm_open", "comm_msg", "comm_close"):
            from ..comms.publishing import publish

            publish(msg_or_type, content, kwargs.get("metadata"), kwargs.get("buffers"))


class CommManager:
    """Without the package `comm`: keeps registered targets, and opens no comm."""

    def __init__(self) -> None:
        self.targets: dict = {}
        self.comms: dict = {}

    def register_target(self, target_name, function) -> None:
        self.targets[target_name] = function

    def unregister_target(self, target_name, function):
        return self.targets.pop(target_name)

    def register_comm(self, comm):
        self.comms[comm.comm_id] = comm
        return comm.comm_id

    def unregister_comm(self, comm) -> None:
        self.comms.pop(comm.comm_id, None)

    def get_comm(self, comm_id):
        return self.comms.get(comm_id)
