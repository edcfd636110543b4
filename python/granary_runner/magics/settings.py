"""Settings of IPython that need nothing here, accepted so that cells written for it run."""

from __future__ import annotations

from .call import MagicCall
from .options import FLAG, Options

_PICTURES = ("", "inline", "agg")


def _matplotlib(call: MagicCall) -> None:
    """Accepted: figures are always shown as pictures."""
    options = Options(call, {"-l": FLAG, "--list": FLAG}, "[--list] [backend]")
    backend = " ".join(options.rest).lower()
    if options.given:
        print("Available: inline, agg. Figures are always shown as pictures.")
    elif backend not in _PICTURES:
        print(f"%matplotlib {backend}: there is no window here; figures are shown as pictures, as with inline.")


def _config(call: MagicCall) -> None:
    """Accepted, and without effect."""
    setting = call.text.partition("=")[0].strip() or "%config"
    print(f"{setting} has no effect here: it configures IPython.")


LINE = {"matplotlib": _matplotlib, "config": _config}
CELL: dict = {}
