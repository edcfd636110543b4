"""`fig.show()` and `plotly.io.show()` display the figure with any renderer; no browser opens."""

from __future__ import annotations


def apply(renderers_module) -> None:
    def show(fig, renderer=None, validate=True, **kwargs) -> None:
        """Display a figure, or the dict that describes one."""
        from ..display import publish_display_data
        from ..formats.plotly_figure import figure_bundle

        size = {name: kwargs[name] for name in ("width", "height", "scale") if kwargs.get(name)}
        publish_display_data(*figure_bundle(_as_figure(fig, validate), renderer, **size))

    renderers_module.show = show


def _as_figure(fig, validate):
    if hasattr(fig, "to_plotly_json"):
        return fig
    from plotly.graph_objects import Figure

    return Figure(fig, skip_invalid=not validate)
