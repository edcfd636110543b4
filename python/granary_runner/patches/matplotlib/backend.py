"""`matplotlib.use("TkAgg")` and similar calls keep the Agg backend: there is no window to draw in."""

from __future__ import annotations

from functools import wraps

DRAWN_ELSEWHERE = frozenset((
    "gtk3agg", "gtk3cairo", "gtk4agg", "gtk4cairo", "inline", "ipympl", "macosx", "nbagg", "notebook", "qt4agg", "qt5agg",
    "qt5cairo", "qtagg", "qtcairo", "tkagg", "tkcairo", "webagg", "widget", "wx", "wxagg", "wxcairo",
    "module://ipykernel.pylab.backend_inline", "module://ipympl.backend_nbagg", "module://matplotlib_inline.backend_inline",
))


def apply(matplotlib) -> None:
    matplotlib.use = unless_drawn_elsewhere(matplotlib.use)
    # The environment of a Jupyter kernel or a desktop may already name a backend. Read the plain dict,
    # because reading rcParams itself makes matplotlib resolve its backend.
    if is_drawn_elsewhere(dict.get(matplotlib.rcParams, "backend")):
        matplotlib.rcParams["backend"] = "agg"


def unless_drawn_elsewhere(choose_backend):
    @wraps(choose_backend)
    def choose(backend, *args, **kwargs):
        if not is_drawn_elsewhere(backend):
            choose_backend(backend, *args, **kwargs)

    return choose


def is_drawn_elsewhere(backend) -> bool:
    return isinstance(backend, str) and backend.lower() in DRAWN_ELSEWHERE
