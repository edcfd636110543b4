"""Values of well-known libraries, read through their C code and their private fields.

Only exact types of the library itself: a subclass may be user code. Nothing here fills a cache of such an
object (as pandas' `dtypes` does), because a cell may be changing it at this moment, and no library is imported.
"""

from __future__ import annotations

import sys

from .type_facts import is_from, module_of, name_of

_MOST_ITEMS = 8
_LARGEST_ITEM = 256  # bytes
_LARGEST_DECIMAL = 500
_read = object.__getattribute__


def draw(drawing, value: object, cls: type) -> bool:
    """Whether the value is known and has been described."""
    draw_known = _look_up(_DRAWN, cls)
    if draw_known is None:
        return False
    begin, room = len(drawing.pieces), drawing.room
    try:
        draw_known(drawing, value)
        return True
    except Exception:  # another version of the library, with other private fields
        del drawing.pieces[begin:]
        drawing.room = room
        return False


def facts(value: object, cls: type) -> dict:
    """`shape`, `length` and `size`, as far as known."""
    read = _look_up(_FACTS, cls)
    try:
        return {} if read is None else read(value)
    except Exception:
        return {}


def _look_up(table: dict, cls: type):
    package = module_of(cls).partition(".")[0]
    found = table.get((package, name_of(cls)))
    return found if found is not None and is_from(package, cls) else None


def _draw_array(drawing, array) -> None:
    drawing.write("array of %s" % _element_type(array))
    _preview(drawing, array)


def _array_facts(array) -> dict:
    shape = list(array.shape)
    return {"shape": shape, "length": shape[0] if shape else None, "size": array.nbytes}


def _element_type(values) -> str:
    return name_of(type(values.dtype) if is_from("pandas", type(values.dtype)) else values.dtype.type).rstrip("_")


def _preview(drawing, array) -> None:
    """The first numbers or texts; an array of objects may contain anything, of any size."""
    if array.dtype.kind in "biufcUS" and array.dtype.itemsize <= _LARGEST_ITEM:
        drawing.write(": ")
        drawing.add_all("[", array.flat[:_MOST_ITEMS].tolist(), array.size, "]")


def _draw_number(drawing, number) -> None:
    drawing.write(name_of(type(number)).rstrip("_") + "(")
    drawing.add(number.item())
    drawing.write(")")


def _draw_in_brackets(drawing, value) -> None:
    """Values with a short text, printed by C code."""
    drawing.write("%s(%s)" % (name_of(type(value)), value))


def _draw_data_frame(drawing, frame) -> None:
    columns = _index(_read(frame, "_mgr").axes[0])
    drawing.write("columns: ")
    drawing.add_all("[", columns[: drawing.most_items].tolist(), len(columns), "]")


def _draw_series(drawing, series) -> None:
    values = _read(series, "_mgr").blocks[0].values
    drawing.write("series of %s" % _element_type(values))
    if is_from("numpy", type(values)):
        _preview(drawing, values)


def _pandas_facts(value) -> dict:
    manager = _read(value, "_mgr")
    shape = [len(_index(axis)) for axis in reversed(manager.axes)]  # the manager has the columns first
    return {"shape": shape, "length": shape[0], "size": _size_of_columns(manager)}


def _size_of_columns(manager) -> "int | None":
    """Without the size of their objects."""
    columns = [block.values for block in manager.blocks]
    known = all(is_from("numpy", type(values)) or is_from("pandas", type(values)) for values in columns)
    return sum(values.nbytes for values in columns) if known else None


def _index(index):
    if not is_from("pandas", type(index)):
        raise TypeError("an index of another library")
    return index


def _draw_path(drawing, path) -> None:
    try:
        pieces = _read(path, "_raw_paths")  # Python 3.12 and later
    except AttributeError:
        root, parts = _read(path, "_drv") + _read(path, "_root"), _read(path, "_parts")
        text = root + "/".join(parts[1:] if root else parts)
    else:
        import posixpath

        text = posixpath.join(*pieces) if pieces else ""
    drawing.write(name_of(type(path)) + "(")
    drawing.add(text or ".")
    drawing.write(")")


def _draw_datetime(drawing, moment) -> None:
    zone = moment.tzinfo  # its class may be the user's, and printing the time would call it
    drawing.write("datetime(%s" % moment.replace(tzinfo=None).isoformat(" "))
    drawing.write(")" if zone is None else ", %s)" % name_of(type(zone)))


def _draw_decimal(drawing, number) -> None:
    if sys.getsizeof(number) > _LARGEST_DECIMAL:
        raise ValueError("too many digits")
    _draw_in_brackets(drawing, number)


_NUMBERS = "bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 complex64"

_DRAWN = {
    ("numpy", "ndarray"): _draw_array,
    **{("numpy", name): _draw_number for name in _NUMBERS.split()},
    ("numpy", "datetime64"): _draw_in_brackets,
    ("numpy", "timedelta64"): _draw_in_brackets,
    ("pandas", "DataFrame"): _draw_data_frame,
    ("pandas", "Series"): _draw_series,
    ("pathlib", "PosixPath"): _draw_path,
    ("pathlib", "PurePosixPath"): _draw_path,
    ("datetime", "datetime"): _draw_datetime,
    ("datetime", "date"): _draw_in_brackets,
    ("datetime", "timedelta"): _draw_in_brackets,
    ("decimal", "Decimal"): _draw_decimal,
}

_FACTS = {
    ("numpy", "ndarray"): _array_facts,
    ("pandas", "DataFrame"): _pandas_facts,
    ("pandas", "Series"): _pandas_facts,
}
