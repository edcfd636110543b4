"""The part of the shell that runs, finds and registers magics."""

from __future__ import annotations

from .. import magics
from ..magics import registered


class MagicsManager:
    """The magics; `registry` has the objects of their methods, by class name."""

    def __init__(self, shell) -> None:
        self.shell = shell
        self.registry: dict = {}
        self.auto_magic = False

    @property
    def magics(self) -> dict:
        return {"line": _known("line"), "cell": _known("cell")}

    def lsmagic(self) -> dict:
        return self.magics

    def register_function(self, func, magic_kind="line", magic_name=None) -> None:
        registered.register(func, magic_kind, magic_name or func.__name__)

    def register(self, *owners) -> None:
        for owner in owners:
            owner = owner(shell=self.shell) if isinstance(owner, type) else owner
            self.registry[type(owner).__name__] = owner
            for kind in ("line", "cell"):
                for name, function in owner.magics[kind].items():
                    registered.register(function, kind, name)

    def register_lazy(self, name: str, fully_qualified_name: str, magic_kind=None) -> None:
        """Load the extension of a magic at its first use."""
        for kind in ("line", "cell") if magic_kind is None else (magic_kind,):
            registered.register(_loading(self.shell, name, fully_qualified_name, kind), kind, name)

    def register_alias(self, alias_name, magic_name, magic_kind="line", magic_params=None) -> None:
        registered.register(finder(magic_kind, magic_name), magic_kind, alias_name)


class MagicAccess:
    """Methods of the shell. A name may be given with or without its percent signs."""

    def run_line_magic(self, magic_name, line="", _stack_depth=1):
        """The same as `%name line`."""
        return magics.line(magic_name.lstrip("%"), line)

    def run_cell_magic(self, magic_name, line, cell):
        """The same as `%%name line` with a cell below it."""
        return magics.cell(magic_name.lstrip("%"), line, cell, 2)

    def magic(self, arg_s):
        """Run a line magic as typed, with or without the percent sign."""
        name, _, line = arg_s.partition(" ")
        return self.run_line_magic(name, line.strip())

    def register_magic_function(self, func, magic_kind="line", magic_name=None) -> None:
        """Make a function a magic."""
        self.magics_manager.register_function(func, magic_kind, magic_name)

    def register_magics(self, *owners) -> None:
        """Make the decorated methods of objects, or of classes, magics."""
        self.magics_manager.register(*owners)

    def find_line_magic(self, magic_name):
        """The function of a magic, which takes the text after its name; None if there is none."""
        return _found("line", magic_name)

    def find_cell_magic(self, magic_name):
        return _found("cell", magic_name)

    def find_magic(self, magic_name, magic_kind="line"):
        return _found(magic_kind, magic_name)


def _loading(shell, name: str, module: str, kind: str):
    def load(*arguments):
        table = registered.LINE if kind == "line" else registered.CELL
        if table.get(name) is load:
            del table[name]
        shell.extension_manager.load_extension(module)
        return magics.line(name, *arguments) if kind == "line" else magics.cell(name, *arguments, 2)

    return load


def finder(kind: str, name: str):
    """A magic as a function of its line, and for a cell magic of its body."""
    if name in (registered.LINE if kind == "line" else registered.CELL):
        return (registered.LINE if kind == "line" else registered.CELL)[name]

    def run(line="", cell=None):
        return magics.line(name, line) if kind == "line" else magics.cell(name, line, cell or "", 2)

    run.__name__ = name
    return run


def _found(kind: str, name: str):
    name = name.lstrip("%")
    return finder(kind, name) if name in _known(kind) else None


def _known(kind: str) -> dict:
    from ..magics import table

    own, added = (table.LINE_MAGICS, registered.LINE) if kind == "line" else (table.CELL_MAGICS, registered.CELL)
    return {name: finder(kind, name) for name in {**own, **added}}
