"""Status events: reports of helpers to the host. `docs/prelude.md` lists their fields."""

from __future__ import annotations

import builtins
import os

MIME = "application/x-granary-status"


def tell(op: str, **facts: object) -> None:
    _show({MIME: {"op": op, **facts}})


def tell_again(display_id: str, is_first: bool, op: str, **facts: object) -> None:
    """An event that replaces the previous one in stored outputs."""
    options = {"display_id": display_id} if is_first else {"display_id": display_id, "update": True}
    _show({MIME: {"op": op, "id": display_id, **facts}}, **options)


def shown_path(path: "str | os.PathLike") -> str:
    """Absolute, and printable with any bytes."""
    return os.fsdecode(os.path.abspath(path)).encode("utf-8", "replace").decode()


def _show(bundle: dict, **options: object) -> None:
    # Every kernel of ours has one in builtins. A child process may have none, and no host.
    display = getattr(builtins, "display", None)
    if display is not None:
        display(bundle, raw=True, **options)
