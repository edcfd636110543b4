"""A value in a few words, without printing a large one."""

from __future__ import annotations

import reprlib

_WIDTH = 70
_LONG_TEXT = 50
_CONTAINERS = (list, tuple, dict, set, frozenset)

_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = _WIDTH
_short.maxlevel = 2


def summarize(value: object) -> str:
    try:
        return _summary(value)
    except Exception as problem:
        return f"<{type(problem).__name__} while looking at it>"


def _summary(value: object) -> str:
    kind = type(value)
    if kind is str:
        text = value.replace("\n", "\\n").replace("\r", "\\r")  # type: ignore[attr-defined]
        return text if len(text) < _LONG_TEXT else text[:25] + "<...>" + text[-25:]
    if kind.__module__.partition(".")[0] in ("numpy", "pandas", "torch", "polars", "jax", "jaxlib", "tensorflow"):
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple) and shape:
            if kind.__name__ in ("DataFrame", "Series"):
                return f"Shape: {shape}"
            size = "x".join(str(length) for length in shape)
            element = getattr(value, "dtype", None)
            return size if element is None else f"{size}, {element}"
    if kind in _CONTAINERS:
        return f"n={len(value)} {_one_line(_short.repr(value))}"  # type: ignore[arg-type]
    return _one_line(_short.repr(value))


def _one_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"
