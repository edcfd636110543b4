"""Magics with `argparse` arguments: `IPython.core.magic_arguments`."""

from __future__ import annotations

import argparse

from ..magics.syntax.usage_error import UsageError

_MARK = "_granary_arguments"


class MagicArgumentParser(argparse.ArgumentParser):
    def __init__(self, prog=None, **named) -> None:
        super().__init__(prog=prog, add_help=False, **named)

    def error(self, message):
        raise UsageError(message)

    def parse_argstring(self, argstring, *, partial=False):
        """Parse a line; its words keep their quotes, as in IPython."""
        import shlex

        words = shlex.split(argstring, posix=False)
        return self.parse_known_args(words) if partial else self.parse_args(words)


class _Mark:
    """A decorator that adds to the parser."""

    def __init__(self, *args, **named) -> None:
        self.args, self.named = args, named

    def __call__(self, function):
        vars(function).setdefault(_MARK, []).insert(0, self)
        return function


class argument(_Mark):
    """One argument of `argparse`."""

    def add_to(self, parser, group):
        (group or parser).add_argument(*self.args, **self.named)
        return group


class defaults(_Mark):
    """Default values."""

    def add_to(self, parser, group):
        parser.set_defaults(**self.named)
        return group


class argument_group(_Mark):
    """A heading for the arguments below it."""

    def add_to(self, parser, group):
        return parser.add_argument_group(*self.args, **self.named)


class kwds(_Mark):
    """Further arguments of the parser itself."""

    def add_to(self, parser, group):
        return group


def magic_arguments(name=None):
    """Give a function the parser that the decorators below describe."""

    def decorate(function):
        marks = vars(function).get(_MARK, [])
        named = {key: value for mark in marks if isinstance(mark, kwds) for key, value in mark.named.items()}
        shown = name or function.__name__.replace("magic_", "", 1)
        function.parser = MagicArgumentParser("%" + shown, **{"description": function.__doc__, **named})
        group = None
        for mark in marks:
            group = mark.add_to(function.parser, group)
        function.argcmd_name = shown
        function.__doc__ = function.parser.format_help()
        return function

    return decorate


def parse_argstring(magic_func, argstring, *, partial=False):
    """The arguments in a magic's line."""
    return magic_func.parser.parse_argstring(argstring, partial=partial)


def real_name(magic_func) -> str:
    return magic_func.argcmd_name
