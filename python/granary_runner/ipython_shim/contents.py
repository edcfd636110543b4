"""The names of each replacement module."""

from __future__ import annotations

from textwrap import dedent

from .. import display, pretty
from ..formats import figure_settings
from ..magics.syntax.usage_error import UsageError
from . import capture, files, frames, json_data, magic, magic_arguments, progress, shell, text
from .display_object import DisplayObject, TextDisplayObject
from .media import audio, image, video


def _named(module, *names: str) -> dict:
    return {name: getattr(module, name) for name in names}


def _public(module) -> dict:
    return {name: value for name, value in vars(module).items() if not name.startswith("_")}


FUNCTIONS = _named(display, "display", "update_display", "clear_output", "publish_display_data", "DisplayHandle")

CORE = {
    **FUNCTIONS,
    **_named(display, "display_pretty", "display_html", "display_markdown", "display_svg", "display_png"),
    **_named(display, "display_jpeg", "display_latex", "display_json", "display_javascript", "display_pdf"),
    "set_matplotlib_formats": figure_settings.use_formats,
    "set_matplotlib_close": figure_settings.close_at_end,
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
    **_named(frames, "IFrame", "YouTubeVideo", "VimeoVideo", "ScribdDocument"),
    "Audio": audio.Audio,
    "Code": text.Code,
}

CAPTURE = _named(capture, "capture_output", "CapturedIO")

CONTENTS = {
    "IPython": _named(shell, "__version__", "version_info", "get_ipython", "InteractiveShell"),
    "IPython.core.display": CORE,
    "IPython.core.display_functions": FUNCTIONS,
    "IPython.core.error": {
        "UsageError": UsageError,
        "InputRejected": type("InputRejected", (Exception,), {}),
        "StdinNotImplementedError": type("StdinNotImplementedError", (NotImplementedError,), {}),
        "TryNext": type("TryNext", (Exception,), {}),
    },
    "IPython.core.getipython": _named(shell, "get_ipython"),
    "IPython.core.interactiveshell": _named(shell, "InteractiveShell", "ExecutionInfo", "ExecutionResult"),
    "IPython.core.magic": _public(magic),
    "IPython.core.magic_arguments": _public(magic_arguments),
    "IPython.core.page": _named(shell, "page"),
    "IPython.display": {**CORE, **LIBRARY},
    "IPython.lib.display": LIBRARY,
    "IPython.lib.pretty": _public(pretty),
    "IPython.paths": _named(shell, "get_ipython_cache_dir"),
    "IPython.terminal.interactiveshell": _named(shell, "TerminalInteractiveShell"),
    "IPython.utils.capture": CAPTURE,
    "IPython.utils.io": CAPTURE,
    "IPython.utils.ipstruct": _named(magic, "Struct"),
    "IPython.utils.text": {"dedent": dedent},
}


def contents_of(name: str) -> dict:
    return CONTENTS.get(name, {})
