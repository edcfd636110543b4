"""A part of a table, for a reader who scrolls: rows as text, in the order of any column.

Runs between cells, on request, and may call methods of the library that the table is from.
"""

from __future__ import annotations

from itertools import islice

_LONGEST_TEXT = 200
_MOST_COLUMNS = 200
_MOST_ROWS = 500


class TablePage:
    """The rows, as the host reads them."""

    def __init__(self, facts: dict) -> None:
        self._facts = facts

    def _repr_json_(self) -> dict:
        return self._facts

    def __repr__(self) -> str:
        return "TablePage"


def page(value: object, start: int, count: int, column: "int | None" = None, descending: bool = False) -> TablePage:
    """Rows from `start` on. `column` counts from 0, without the index."""
    start, count = max(0, start), max(0, min(count, _MOST_ROWS))
    for cls in type(value).__mro__:
        reader = _READERS.get(("%s.%s" % (cls.__module__.partition(".")[0], cls.__name__)))
        if reader is not None:
            return TablePage(reader(value, start, count, column, descending))
    raise TypeError("%s is no table" % type(value).__name__)


def _data_frame(frame, start: int, count: int, column: "int | None", descending: bool) -> dict:
    if column is not None and column < frame.shape[1]:
        order = frame.iloc[:, column].reset_index(drop=True)
        try:
            order = order.sort_values(ascending=not descending, kind="stable")
        except TypeError:  # values of several types
            order = order.astype(str).sort_values(ascending=not descending, kind="stable")
        frame = frame.iloc[order.index]
    part = frame.iloc[start : start + count, :_MOST_COLUMNS]
    rows = [[_text(value) for value in row] for row in zip(*(part.iloc[:, at] for at in range(part.shape[1])))]
    index = [_text(label) for label in part.index]
    if not part.shape[1]:
        rows = [[] for _ in index]
    return {
        "columns": [_text(name) for name in part.columns],
        "types": [str(kind) for kind in part.dtypes],
        "index": index,
        "rows": rows,
        "total": int(frame.shape[0]),
        "totalColumns": int(frame.shape[1]),
    }


def _series(series, *order) -> dict:
    return _data_frame(series.to_frame(), *order)


def _polars(frame, start: int, count: int, column: "int | None", descending: bool) -> dict:
    if column is not None and column < frame.width:
        frame = frame.sort(frame.columns[column], descending=descending, nulls_last=True)
    part = frame[:, :_MOST_COLUMNS].slice(start, count)
    return {
        "columns": [_text(name) for name in part.columns],
        "types": [str(kind) for kind in part.dtypes],
        "index": [str(at) for at in range(start, start + part.height)],
        "rows": [[_text(value) for value in row] for row in part.rows()],
        "total": frame.height,
        "totalColumns": frame.width,
    }


def _array(array, start: int, count: int, column: "int | None", descending: bool) -> dict:
    if array.ndim == 0:
        array = array.reshape(1, 1)
    table = array.reshape(array.shape[0], -1)
    order = range(table.shape[0])
    if column is not None and column < table.shape[1]:
        order = table[:, column].argsort(kind="stable")
        order = order[::-1] if descending else order
    chosen = order[start : start + count]
    width = min(table.shape[1], _MOST_COLUMNS)
    return {
        "columns": [str(at) for at in range(width)],
        "types": [str(table.dtype)] * width,
        "index": [str(int(at)) for at in chosen],
        "rows": [[_text(value) for value in table[at, :width]] for at in chosen],
        "total": int(table.shape[0]),
        "totalColumns": int(table.shape[1]),
    }


def _items(value, start: int, count: int, column: "int | None", descending: bool) -> dict:
    """A list, with a column for each key where its items are dicts; a dict as keys and values."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    if column is not None:
        pairs = sorted(pairs, key=lambda pair: _text(pair[1]), reverse=descending)
    chosen = list(islice(pairs, start, start + count))
    items = [item for _, item in chosen]
    if items and all(type(item) is dict for item in items):
        columns = list(dict.fromkeys(key for item in items for key in item))[:_MOST_COLUMNS]
        rows = [[_text(item[key]) if key in item else "" for key in columns] for item in items]
    elif items and all(type(item) in (list, tuple) for item in items):
        columns = list(range(min(_MOST_COLUMNS, max(map(len, items)))))
        rows = [[_text(item[at]) if at < len(item) else "" for at in columns] for item in items]
    else:
        columns, rows = ["value"], [[_text(item)] for item in items]
    return {
        "columns": [_text(name) for name in columns],
        "types": ["" for _ in columns],
        "index": [_text(key) for key, _ in chosen],
        "rows": rows,
        "total": len(value),
        "totalColumns": len(columns),
    }


def _text(value: object) -> str:
    try:
        text = value if type(value) is str else str(value)
    except Exception as problem:
        text = "<%s>" % type(problem).__name__
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"


_READERS = {
    "pandas.DataFrame": _data_frame,
    "pandas.Series": _series,
    "polars.DataFrame": _polars,
    "polars.Series": lambda series, *order: _polars(series.to_frame(), *order),
    "pyarrow.Table": lambda table, *order: _data_frame(table.to_pandas(), *order),
    "numpy.ndarray": _array,
    "builtins.list": _items,
    "builtins.tuple": _items,
    "builtins.dict": _items,
}
