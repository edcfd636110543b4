"""The methods by which an object chooses its representation: ``_repr_html_`` and its family, as IPython defined them."""

from __future__ import annotations

MIME_BY_METHOD = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
    "_repr_pdf_": "application/pdf",
}

# No class defines this name, so an object that has it answers to every name (mocks, proxies).
CANARY = "_ipython_canary_method_should_not_exist_"


def displayed_itself(obj, failures: list) -> bool:
    """Let an object with ``_ipython_display_`` show itself; False if it has none or declines."""
    method = _method(obj, "_ipython_display_")
    if method is None or _answers_to_everything(obj):
        return False
    try:
        method()
    except NotImplementedError:
        return False
    except Exception as error:
        failures.append(error)
        return False
    return True


def from_methods(obj, include, exclude, failures: list, known: set = frozenset()) -> tuple:
    """Collect ``(data, metadata)``; ``_repr_mimebundle_`` comes first, the others add types that are not ``known`` yet."""
    if isinstance(obj, type) or _answers_to_everything(obj):
        return {}, {}
    data, metadata = _value_and_metadata(obj, "_repr_mimebundle_", failures, include=include, exclude=exclude)
    data = dict(data) if isinstance(data, dict) else {}
    metadata = dict(metadata) if isinstance(metadata, dict) else {}
    for name, mime in MIME_BY_METHOD.items():
        excluded = (include and mime not in include) or (exclude and mime in exclude)
        if mime in data or mime in known or excluded:
            continue
        value, about_value = _value_and_metadata(obj, name, failures)
        if value is not None:
            data[mime] = value
            if about_value:
                metadata[mime] = about_value
    return data, metadata


def _value_and_metadata(obj, name: str, failures: list, **arguments) -> tuple:
    """Each method returns a value, or a value and its metadata, or None for "not this time"."""
    method = _method(obj, name)
    if method is None:
        return None, None
    try:
        answer = method(**arguments)
    except NotImplementedError:
        return None, None
    except Exception as error:
        failures.append(error)
        return None, None
    if isinstance(answer, tuple) and len(answer) == 2:
        return answer
    return answer, None


def _method(obj, name: str):
    if isinstance(obj, type):  # the methods of a class describe its instances
        return None
    try:
        method = getattr(obj, name, None)
    except Exception:
        return None
    return method if callable(method) else None


def _answers_to_everything(obj) -> bool:
    try:
        return getattr(obj, CANARY, None) is not None
    except Exception:
        return True
