"""Settings for matplotlib figures: `%config InlineBackend.figure_format = "svg"` and `set_matplotlib_formats("retina")`."""

from __future__ import annotations

MIME_BY_FORMAT = {
    "png": "image/png",
    "retina": "image/png",
    "png2x": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
}
DOUBLED = ("retina", "png2x")  # twice the pixels, shown at the usual size

formats: tuple = ("png",)
options: dict = {}  # of `savefig`
closes_figures = True
rc: dict = {}


def use_formats(*wanted, **savefig_options) -> None:
    """Show figures in these formats from now on."""
    global formats, options
    unknown = [name for name in wanted if name not in MIME_BY_FORMAT]
    if unknown or not wanted:
        named = ", ".join(map(repr, unknown)) or "none"
        raise ValueError(f"Figures can be shown as {', '.join(MIME_BY_FORMAT)}, not as {named}.")
    formats = wanted
    if savefig_options:
        options = savefig_options


def use_options(savefig_options: dict) -> None:
    global options
    options = dict(savefig_options)


def close_at_end(closes: bool) -> None:
    """Whether figures are closed at the end of their cell; later cells can draw on open figures."""
    global closes_figures
    closes_figures = bool(closes)


def use_rc(values: dict) -> None:
    """Settings of matplotlib itself."""
    rc.update(values)
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.rcParams.update(values)


def value_of(name: str):
    """A setting by its name in InlineBackend; KeyError if there is none."""
    return {
        "figure_format": ",".join(formats),
        "figure_formats": set(formats),
        "print_figure_kwargs": {"bbox_inches": "tight", **options},
        "close_figures": closes_figures,
        "rc": rc,
    }[name]


def use_value(name: str, value) -> None:
    """Set a setting by that name."""
    if name == "figure_format":
        use_formats(*([value] if isinstance(value, str) else value))
    elif name == "figure_formats":
        use_formats(*([value] if isinstance(value, str) else sorted(value)))
    elif name == "print_figure_kwargs":
        use_options(value)
    elif name == "close_figures":
        close_at_end(value)
    elif name == "rc":
        use_rc(value)
    else:
        raise KeyError(name)
