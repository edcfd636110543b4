"""The decorators that make functions and methods magics: `IPython.core.magic`."""

from __future__ import annotations

from ..ipython_shell import get_ipython
from ..magics.syntax.usage_error import UsageError

MAGIC_NO_VAR_EXPAND_ATTR = "_ipython_magic_no_var_expand"
MAGIC_OUTPUT_CAN_BE_SILENCED = "_ipython_magic_output_can_be_silenced"
_MARK = "_granary_magic"


def _method_decorator(kind: str):
    def decorate(arg):
        """Mark a method as a magic: `@decorator`, or `@decorator("name")`."""
        if callable(arg):
            setattr(arg, _MARK, (kind, arg.__name__))
            return arg

        def named(method):
            setattr(method, _MARK, (kind, arg))
            return method

        return named

    return decorate


def _function_decorator(kind: str):
    def decorate(arg):
        """Register a function as a magic: `@decorator`, or `@decorator("name")`."""
        if callable(arg):
            get_ipython().register_magic_function(arg, kind)
            return arg

        def named(function):
            get_ipython().register_magic_function(function, kind, arg)
            return function

        return named

    return decorate


line_magic = _method_decorator("line")
cell_magic = _method_decorator("cell")
line_cell_magic = _method_decorator("line_cell")
register_line_magic = _function_decorator("line")
register_cell_magic = _function_decorator("cell")
register_line_cell_magic = _function_decorator("line_cell")


def magics_class(cls):
    """Collect the marked methods of a class."""
    found: dict = {"line": {}, "cell": {}}
    for base in reversed(cls.__mro__):
        for attribute, method in vars(base).items():
            kind, name = getattr(method, _MARK, ("", ""))
            for one in ("line", "cell"):
                if one in kind.split("_"):
                    found[one][name] = attribute
    cls.magics, cls.registered = found, True
    return cls


def needs_local_scope(func):
    """Call the magic with `local_ns`, the names that its caller sees."""
    func.needs_local_scope = True
    return func


def no_var_expand(func):
    """Do not expand `{name}` and `$name` in the magic's line."""
    setattr(func, MAGIC_NO_VAR_EXPAND_ATTR, True)
    return func


def output_can_be_silenced(func):
    setattr(func, MAGIC_OUTPUT_CAN_BE_SILENCED, True)
    return func


class Struct(dict):
    """Options, also as attributes."""

    def __getattr__(self, name: str):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def merge(self, *others, **named) -> None:
        """Add missing keys."""
        for other in (*others, named):
            for name, value in other.items():
                self.setdefault(name, value)


class Magics:
    """Base of classes whose methods are magics."""

    magics: dict = {}
    registered = False
    shell = None

    def __init__(self, shell=None, **kwargs) -> None:
        if not type(self).registered:
            raise ValueError("Magics subclass without registration - did you forget to apply @magics_class?")
        self.shell = shell
        self.magics = {
            kind: {name: getattr(self, attribute) for name, attribute in methods.items()}
            for kind, methods in type(self).magics.items()
        }

    def parse_options(self, arg_str, opt_str, *long_opts, mode="string", list_all=False, posix=True, strict=True,
                      preserve_non_opts=False, **_):
        """`(options, rest)`: options in the form of getopt, the rest as text or with mode="list" as words."""
        import getopt
        import shlex

        words = shlex.split(arg_str, posix=posix) if posix else arg_str.split()
        try:
            given, rest = getopt.getopt(words, opt_str, list(long_opts))
        except getopt.GetoptError as problem:
            raise UsageError(str(problem)) from None
        options = Struct()
        for name, value in given:
            name = name.lstrip("-")
            if name in options or list_all:
                before = options.get(name, [])
                options[name] = [*(before if isinstance(before, list) else [before]), value]
            else:
                options[name] = value
        if mode == "list":
            return options, rest
        return options, _text_after(arg_str, rest) if preserve_non_opts else " ".join(rest)


def _text_after(text: str, rest: list) -> str:
    """The end of the text with the remaining words, including quotes."""
    import shlex

    for start in range(len(text) + 1):
        if (start == 0 or text[start - 1].isspace()) and not text[start : start + 1].isspace():
            try:
                if shlex.split(text[start:]) == rest:
                    return text[start:]
            except ValueError:
                continue
    return " ".join(rest)
