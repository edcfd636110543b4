"""Seconds as people read them."""

from __future__ import annotations

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def readable(seconds: float, digits: int = 3) -> str:
    if seconds >= 60:
        minutes, rest = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}h {minutes}min {rest}s" if hours else f"{minutes}min {rest}s"
    if seconds <= 0:
        return "0 ns"
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds >= size), _UNITS[-1])
    return f"{seconds / size:.{digits}g} {unit}"
