"""The real IPython's display functions only print without an IPython shell, so they call ours."""

from __future__ import annotations

NAMES = ("display", "update_display", "clear_output", "publish_display_data", "DisplayHandle")


def apply(module) -> None:
    from .. import display as ours
    from .matplotlib.inline import apply as apply_settings

    for name in NAMES:
        if name in vars(module):  # not hasattr: IPython 8 warns when asked for a name that has moved
            setattr(module, name, getattr(ours, name))
    apply_settings(module)
