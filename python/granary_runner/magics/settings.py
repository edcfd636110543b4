"""%config, %matplotlib and other settings of IPython."""

from __future__ import annotations

import ast

from ..formats import figure_settings
from .call import MagicCall
from .syntax.options import FLAG, Options, no_arguments
from .syntax.usage_error import UsageError

_PICTURES = ("", "inline", "agg")
_SHELLS = ("InteractiveShell", "TerminalInteractiveShell", "ZMQInteractiveShell")


def _matplotlib(call: MagicCall) -> None:
    """Accepted: figures are always shown as pictures."""
    options = Options(call, {"-l": FLAG, "--list": FLAG}, "[--list] [backend]")
    backend = " ".join(options.rest).lower()
    if options.given:
        print("Available: inline, agg. Figures are always shown as pictures.")
    elif backend not in _PICTURES:
        print(f"%matplotlib {backend}: there is no window here; figures are shown as pictures, as with inline.")


def _config(call: MagicCall) -> object:
    """Get or set a setting: `%config InlineBackend.figure_format = "retina"`; without a value, return it.

    InlineBackend has figure_format (png, retina, jpeg, svg, pdf, webp), figure_formats, print_figure_kwargs, close_figures and rc.
    InteractiveShell has ast_node_interactivity. Settings of other classes are kept in `get_ipython().config`, for extensions.
    """
    name, equals, text = (part.strip() for part in call.text.partition("="))
    section, _, setting = name.partition(".")
    if not section:
        print("Available: InlineBackend, InteractiveShell, PlainTextFormatter. See them with: %config InlineBackend")
        return None
    if not setting:
        if equals:
            raise UsageError(f"%config needs a setting of {section}, for example: %config InlineBackend.figure_format = 'svg'")
        _list(section)
        return None
    owner = _owner(section)
    if not equals:
        return owner.get(setting)
    owner.set(setting, _value(text, call.namespace))
    return None


class _InlineBackend:
    def get(self, setting: str):
        try:
            return figure_settings.value_of(setting)
        except KeyError:
            raise self.unknown(setting) from None

    def set(self, setting: str, value) -> None:
        try:
            figure_settings.use_value(setting, value)
        except KeyError:
            raise self.unknown(setting) from None
        except ValueError as problem:
            raise UsageError(str(problem)) from None

    def unknown(self, setting: str) -> UsageError:
        known = "figure_format, figure_formats, print_figure_kwargs, close_figures, rc"
        return UsageError(f"InlineBackend has no setting {setting}. It has {known}.")


class _Attributes:
    """Settings that are attributes of an object."""

    def __init__(self, subject, name: str) -> None:
        self.subject, self.name = subject, name

    def get(self, setting: str):
        try:
            return getattr(self.subject, setting)
        except AttributeError:
            raise UsageError(f"{self.name} has no setting {setting} here.") from None

    def set(self, setting: str, value) -> None:
        setattr(self.subject, setting, value)


class _Kept:
    """Settings of extensions: of existing objects, and of those that extensions make later."""

    def __init__(self, section: str) -> None:
        from ..ipython_shell import get_ipython

        self.name = section
        self.shell = get_ipython()
        self.made = [one for one in self.shell.configurables if type(one).__name__ == section]

    def get(self, setting: str):
        for one in self.made:
            return getattr(one, setting)
        return self.shell.config.get(self.name, {}).get(setting)

    def set(self, setting: str, value) -> None:
        self.shell.config.setdefault(self.name, {})[setting] = value
        for one in self.made:
            setattr(one, setting, value)


def _owner(section: str):
    if section == "InlineBackend":
        return _InlineBackend()
    if section in _SHELLS:
        import IPython.core.interactiveshell as module  # the real one or the replacement

        return _Attributes(module.InteractiveShell, section)
    if section == "PlainTextFormatter":
        from ..formats.registered import FORMATTERS

        return _Attributes(FORMATTERS["text/plain"], section)
    return _Kept(section)


def _list(section: str) -> None:
    if section == "InlineBackend":
        for name in ("figure_format", "print_figure_kwargs", "close_figures", "rc"):
            print(f"InlineBackend.{name} = {figure_settings.value_of(name)!r}")
    else:
        print(f"%config {section}: name a setting, for example: %config {section}.name = value")


def _value(text: str, namespace: dict):
    """An expression; a bare word, such as retina, is a text."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        pass
    try:
        return eval(text, namespace)
    except NameError:
        return text


def _accepted(name: str, why: str):
    def accept(call: MagicCall) -> None:
        pass

    accept.__name__ = "_" + name
    accept.__doc__ = f"Accepted, without effect: {why}."
    return accept


def _pprint(call: MagicCall) -> None:
    """Switch pretty printing of results off, or on again."""
    no_arguments(call)
    from ..formats.registered import FORMATTERS

    text = FORMATTERS["text/plain"]
    text.pprint = not text.pprint
    print(f"Pretty printing has been turned {'ON' if text.pprint else 'OFF'}")


def _clear(call: MagicCall) -> None:
    """Remove the output of this cell so far."""
    no_arguments(call)
    from ..wire import emit

    emit.clear(False)


def _pylab(call: MagicCall) -> None:
    """Import numpy as np, matplotlib and pyplot as plt, and all their names: `%pylab [--no-import-all] [backend]`."""
    options = Options(call, {"--no-import-all": FLAG}, "[--no-import-all] [backend]")
    import matplotlib
    import matplotlib.pyplot
    import numpy

    from ..cells import execute

    names = execute.namespace()
    if "--no-import-all" not in options:
        exec("from pylab import *\nfrom numpy import *", names)
    names.update(np=numpy, numpy=numpy, matplotlib=matplotlib, plt=matplotlib.pyplot, pyplot=matplotlib.pyplot)


def _precision(call: MagicCall) -> str:
    """Show floats with a number of digits, or in a form such as %.3e; nothing restores Python's own: `%precision [digits]`."""
    from ..formats.registered import FORMATTERS

    text = FORMATTERS["text/plain"]
    try:
        text.float_precision = call.args.strip()
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    return text.float_format


LINE = {
    "matplotlib": _matplotlib,
    "config": _config,
    "pprint": _pprint,
    "precision": _precision,
    "pylab": _pylab,
    "clear": _clear,
    "colors": _accepted("colors", "the host chooses colours"),
    "doctest_mode": _accepted("doctest_mode", "prompts and tracebacks are those of the host"),
    "autosave": _accepted("autosave", "Granary saves a notebook when it runs one"),
    "gui": _accepted("gui", "there are no windows"),
    "autoawait": _accepted("autoawait", "`await` always works at the top level"),
    "automagic": _accepted("automagic", "a magic is always written with its percent sign"),
}
CELL: dict = {}
