"""Which names each stand-in module has."""

from __future__ import annotations

from .. import display
from ..patches.matplotlib_inline import accepted_setting
from . import audio, files, frames, image, json_data, progress, shell, text, video
from .display_object import DisplayObject, TextDisplayObject


def _named(module, *names: str) -> dict:
    return {name: getattr(module, name) for name in names}


FUNCTIONS = _named(display, "display", "update_display", "clear_output", "publish_display_data", "DisplayHandle")

CORE = {
    **FUNCTIONS,
    **_named(display, "display_pretty", "display_html", "display_markdown", "display_svg", "display_png"),
    **_named(display, "display_jpeg", "display_latex", "display_json", "display_javascript", "display_pdf"),
    **{name: accepted_setting(name) for name in ("set_matplotlib_formats", "set_matplotlib_close")},
    **_named(text, "Pretty", "HTML", "Markdown", "Math", "Latex", "SVG", "Javascript"),
    **_named(json_data, "JSON", "GeoJSON"),
    "DisplayObject": DisplayObject,
    "TextDisplayObject": TextDisplayObject,
    "Image": image.Image,
    "ProgressBar": progress.ProgressBar,
    "Video": video.Video,
}

LIBRARY = {
    **_named(files, "FileLink", "FileLinks"),
    **_named(frames, "IFrame", "YouTubeVideo", "VimeoVideo"),
    "Audio": audio.Audio,
    "Code": text.Code,
}

CONTENTS = {
    "IPython": _named(shell, "__version__", "version_info", "get_ipython"),
    "IPython.core.display": CORE,
    "IPython.core.display_functions": FUNCTIONS,
    "IPython.core.getipython": _named(shell, "get_ipython"),
    "IPython.core.interactiveshell": _named(shell, "InteractiveShell"),
    "IPython.display": {**CORE, **LIBRARY},
    "IPython.lib.display": LIBRARY,
}


def contents_of(name: str) -> dict:
    return CONTENTS.get(name, {})
